import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Packs and installs the package as users do, and compares what they get with the lock file. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the path of the tarball. */
export async function pack(directory: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory]
  const { stdout } = await npm(process.execPath, args, ROOT)
  const [packed] = JSON.parse(stdout) as [{ filename: string }]
  return join(directory, packed.filename)
}

export async function install(node: string, tarball: string, directory: string): Promise<void> {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--engine-strict', '--no-audit', '--no-fund', tarball]
  const { stderr } = await npm(node, args, directory)
  // Settings of this machine that npm does not know are none of the package's business.
  const warnings = stderr.split('\n').filter((line) => line !== '' && !/Unknown \w+ config/.test(line))
  if (warnings.length > 0) throw new Error(`${node}: npm install warns:\n${warnings.join('\n')}`)
}

/** The installed packages must be those of the lock file, each in its version. */
export async function checkTree(node: string, directory: string): Promise<void> {
  const { stdout } = await npm(node, ['ls', '--all', '--json'], directory)
  const { dependencies = {} } = JSON.parse(stdout) as InstalledTree
  const installed = installedPackages(dependencies['heddle']?.dependencies ?? {})
  const locked = lockedPackages()
  const differences = [
    ...[...locked].filter((each) => !installed.has(each)).map((each) => `missing ${each}`),
    ...[...installed].filter((each) => !locked.has(each)).map((each) => `not locked ${each}`),
  ]
  if (differences.length > 0)
    throw new Error(`installed is not what was tested (after npm ci?):\n${differences.join('\n')}`)
}

interface InstalledTree {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, InstalledTree>>
}

function installedPackages(dependencies: Readonly<Record<string, InstalledTree>>): Set<string> {
  return new Set(
    Object.entries(dependencies).flatMap(([name, { version, dependencies: own = {} }]) =>
      // Packages of other platforms have no version.
      version === undefined ? [] : [`${name}@${version}`, ...installedPackages(own)],
    ),
  )
}

interface LockedPackage {
  readonly version: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** The production packages of this platform, as `name@version`. */
function lockedPackages(): Set<string> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>
  }
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  const libc = report.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  const locked = Object.entries(lock.packages).filter(
    ([path, each]) =>
      path !== '' &&
      each.dev !== true &&
      (each.os?.includes(process.platform) ?? true) &&
      (each.cpu?.includes(process.arch) ?? true) &&
      (each.libc?.includes(libc) ?? true),
  )
  return new Set(
    locked.map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`),
  )
}

/** The SBOM has the packages of the server and the web UI, and not those of the development alone. */
export function checkSbom(directory: string): void {
  const file = join(directory, 'node_modules/heddle/dist/heddle.cdx.json')
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: { name: string }[] }
  const names = components.map(({ name }) => name)
  const missing = ['react', '@mantine/core', 'fastify', '@clickhouse/client'].filter(
    (each) => !names.includes(each),
  )
  const unexpected = ['vitest', 'oxlint', 'typescript'].filter((each) => names.includes(each))
  if (missing.length > 0 || unexpected.length > 0)
    throw new Error(`heddle.cdx.json: ${missing.join(', ')} missing, ${unexpected.join(', ')} unexpected`)
}

/** Runs npm as a user would: `npm run` exports this checkout's .npmrc, whose strictness is not theirs, and `--silent`. */
function npm(node: string, args: string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  const {
    npm_config_engine_strict: _strict,
    npm_config_ignore_scripts: _scripts,
    npm_config_loglevel: _level,
    ...env
  } = process.env
  const { npm_execpath: program } = env
  if (program === undefined) throw new Error('run it with npm run release:check')
  return promisify(execFile)(node, [program, ...args], { cwd, env, maxBuffer: 64 << 20 })
}
