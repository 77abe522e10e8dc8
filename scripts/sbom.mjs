import { readFileSync } from 'node:fs'

/**
 * `node scripts/sbom.mjs`, after `vite build`: prints the SBOM (CycloneDX) of the package: the production dependencies of
 * the lock file for all platforms, and those development dependencies that are in the browser bundle. Nothing in it
 * depends on the time or the machine.
 */
const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

const { name, version, license } = JSON.parse(read('package.json'))
const { packages } = JSON.parse(read('package-lock.json'))
const inBrowser = new Set(read('dist/web/licenses.txt').match(/(?<=^=== )\S+(?= \()/gm))

const components = new Map()
for (const [path, locked] of Object.entries(packages)) {
  if (path === '') continue
  const component = componentOf(path.slice(path.lastIndexOf('node_modules/') + 13), locked)
  const id = `${component.name}@${component.version}`
  if (locked.dev !== true || inBrowser.has(id)) components.set(id, component)
}
for (const id of inBrowser)
  if (!components.has(id)) throw new Error(`${id} is in the web UI, but not in package-lock.json; run npm ci`)

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { ...componentOf(name, { version, license }), type: 'application' } },
  components: [...components.values()],
}
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`)

function componentOf(packageName, { version: exact, license: terms, integrity, optional }) {
  const purl = `pkg:npm/${packageName.replace('@', '%40')}@${exact}`
  return {
    type: 'library',
    'bom-ref': purl,
    name: packageName,
    version: exact,
    scope: optional === true ? 'optional' : 'required',
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    ...(terms === undefined ? {} : { licenses: [licenseOf(terms)] }),
    purl,
  }
}

/** From `sha512-BASE64`. */
function hashOf(integrity) {
  const [algorithm, content] = integrity.split('-')
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') }
}

/** An SPDX identifier, or an expression such as `(MIT OR CC0-1.0)`. */
function licenseOf(terms) {
  return terms.includes(' ') ? { expression: terms } : { license: { id: terms } }
}
