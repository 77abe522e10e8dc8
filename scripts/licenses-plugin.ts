import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/**
 * Emits `licenses.txt`: name, version, license and license text of every package that has code or a font in the browser
 * bundle. scripts/sbom.mjs reads it too. Vite's `build.license` omits fonts and the packages of workers, and accepts
 * packages without a text.
 */
export const licenses: { readonly main: Plugin; readonly worker: Plugin } = {
  main: {
    name: 'licenses',
    generateBundle(_options, bundle) {
      addPackages(bundle)
      const source = [...packages].toSorted().map(licenseOf).join('\n')
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
    },
  },
  // Workers are bundled before the page that starts them.
  worker: { name: 'licenses-of-workers', generateBundle: (_options, bundle) => addPackages(bundle) },
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Directories such as `node_modules/react`, relative to the root. */
const packages = new Set<string>()

/** Packages without a license file, and one of the same author under the same license. */
const SAME_LICENSE: Readonly<Record<string, string>> = {
  'node_modules/react-remove-scroll-bar': 'node_modules/react-remove-scroll',
}

function addPackages(bundle: Rolldown.OutputBundle): void {
  for (const output of Object.values(bundle)) {
    const files = output.type === 'chunk' ? output.moduleIds : output.originalFileNames
    for (const file of files) {
      const path = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
      if (path !== undefined && !file.startsWith('\0')) packages.add(path)
    }
  }
}

function licenseOf(directory: string): string {
  const manifest = readFileSync(join(ROOT, directory, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(manifest) as {
    name: string
    version: string
    license: string
  }
  const text = licenseText(join(ROOT, SAME_LICENSE[directory] ?? directory))
  if (text === '') throw new Error(`${name} has no license file`)
  return `=== ${name}@${version} (${license})\n\n${text}\n`
}

/** With the notices, which Apache-2.0 demands. */
function licenseText(path: string): string {
  const files = readdirSync(path).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  return files.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n')
}
