import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** What users install is what was tested (docs/dependencies.md); `npm run release:check` installs it. */
const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

test('the package contains all of its dependencies', () => {
  const { dependencies, bundleDependencies } = JSON.parse(read('package.json')) as {
    dependencies: Readonly<Record<string, string>>
    bundleDependencies: readonly string[]
  }
  expect(bundleDependencies).toEqual(Object.keys(dependencies))
})

test('the lock file names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"')
})
