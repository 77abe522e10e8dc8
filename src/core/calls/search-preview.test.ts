import fc from 'fast-check'
import { expect, test } from 'vitest'
import { caseVariants } from './case-folding.ts'
import { searchPreview, unescapeJson } from './search-preview.ts'

test('case variants follow Unicode simple case folding', () => {
  expect([...caseVariants('k')].toSorted()).toEqual(['K', 'k', '\u212a'])
  expect([...caseVariants('ς')].toSorted()).toEqual(['Σ', 'ς', 'σ'])
  expect([...caseVariants('ß')].toSorted()).toEqual(['ß', 'ẞ'])
  expect(caseVariants('今')).toEqual(['今'])
  expect(caseVariants('.')).toEqual(['.'])
  expect(caseVariants('\u0131')).toEqual(['\u0131'])
})

test('all JSON escapes are decoded before search', () => {
  const value = 'a"b\\c/d\b\f\n\r\té😀\u0000'
  const escaped = Array.from(
    { length: value.length },
    (_, i) => `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
  expect(unescapeJson(JSON.stringify(value))).toBe(`"${value}"`)
  expect(unescapeJson(`"${escaped}"`)).toBe(`"${value}"`)
  expect(unescapeJson('"a\\/b"')).toBe('"a/b"')
})

test('a preview shows the first match in context, and all matches that fit', () => {
  const text = `${'x'.repeat(500)} Needle, needle ${'y'.repeat(500)} needle`
  const preview = searchPreview(text, 'needle')!
  expect(preview.count).toBe(3)
  expect(preview.excerpt).toHaveLength(240)
  expect(preview.ranges.map(([from, to]) => preview.excerpt.slice(from, to))).toEqual(['Needle', 'needle'])
  expect(text.slice(preview.offset).startsWith(preview.excerpt)).toBe(true)
  expect(searchPreview(text, 'nothing')).toBeUndefined()
})

test('a preview does not split a surrogate pair', () => {
  const text = `${'😀'.repeat(31)}needle${'😀'.repeat(200)}`
  for (const start of [0, 1]) {
    const { excerpt } = searchPreview('a'.repeat(start) + text, 'needle')!
    expect(excerpt.isWellFormed()).toBe(true)
  }
})

test('matches are those of a regular expression that ignores case', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'k', 'K', '\u212a', 'ß', 'ẞ', 'σ', 'ς', '𐐀', '𐐨', '.'),
  })
  fc.assert(
    fc.property(text, text, (document, needle) => {
      fc.pre(needle !== '')
      const pattern = new RegExp(needle.replaceAll('.', '[.]'), 'giu')
      const expected = [...document.matchAll(pattern)].map(({ index, 0: hit }) => [index, index + hit.length])
      const preview = searchPreview(document, needle)
      const ranges = preview?.ranges.map(([from, to]) => [from + preview.offset, to + preview.offset]) ?? []
      expect(ranges).toEqual(expected.slice(0, 100))
    }),
    { numRuns: 500 },
  )
})
