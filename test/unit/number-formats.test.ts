import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const WEB = fileURLToPath(new URL('../../src/web/', import.meta.url))

/** Rounds a value that the filter compares; shows nothing. */
const EXCEPTIONS = new Set(['filter/duration.ts'])

test('only src/web/ui/format.ts formats numbers', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const others = files.filter(
    (name) =>
      name !== 'ui/format.ts' &&
      !EXCEPTIONS.has(name) &&
      /\.to(?:Fixed|Precision)\(|Intl\.NumberFormat/.test(readFileSync(join(WEB, name), 'utf8')),
  )
  expect(others).toEqual([])
})
