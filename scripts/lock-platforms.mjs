import { readFileSync, writeFileSync } from 'node:fs'

/**
 * `node scripts/lock-platforms.mjs`, after `npm install`: completes package-lock.json. Some registry mirrors only have
 * the native packages of their own platform; npm then omits the others from the lock file, and `npm ci` fails on other
 * platforms. Their versions are in the optionalDependencies of the packages that need them.
 */
const FILE = 'package-lock.json'
const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const OS = /android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|aix/
const CPU = /arm64|aarch64|x64|ia32|arm|loong64|mips64el|ppc64|riscv64|s390x|wasm32/

let added = 0
for (const [path, parent] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined || lock.packages[`${path}/${key}`] !== undefined) continue
    // Only exact versions can be locked; npm resolves ranges.
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue
    lock.packages[key] = entryOf(name, version, parent)
    added++
  }
}

function entryOf(name, version, parent) {
  const os = OS.exec(name)?.[0]
  const cpu = CPU.exec(os === undefined ? name : name.slice(name.indexOf(os) + os.length))?.[0]
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu === 'aarch64' ? 'arm64' : cpu] }),
    ...(parent.dev === true ? { dev: true } : {}),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
    ...(name.includes('musl') ? { libc: ['musl'] } : /linux.*gnu/.test(name) ? { libc: ['glibc'] } : {}),
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`added ${added} packages of other platforms to ${FILE}`)
