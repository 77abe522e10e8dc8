import { expect, test } from 'vitest'
import { caseOrbit } from './case-folding.ts'
import { previewOf, unescapeJson } from './search-preview.ts'

test('letters are the same whatever their case, by Unicode', () => {
  expect([...caseOrbit('k')].toSorted()).toEqual(['K', 'k', '\u212a'])
  expect([...caseOrbit('ς')].toSorted()).toEqual(['Σ', 'ς', 'σ'])
  expect([...caseOrbit('ß')].toSorted()).toEqual(['ß', 'ẞ'])
  expect(caseOrbit('今')).toEqual(['今'])
  expect(caseOrbit('.')).toEqual(['.'])
  expect(caseOrbit('\u0131')).toEqual(['\u0131'])
})

test('a document is searched without its escapes, whatever they are', () => {
  const value = 'a"b\\c/d\b\f\n\r\té😀\u0000'
  const escaped = Array.from(
    { length: value.length },
    (_, i) => `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
  expect(unescapeJson(JSON.stringify(value))).toBe(`"${value}"`)
  expect(unescapeJson(`"${escaped}"`)).toBe(`"${value}"`)
  expect(unescapeJson('"a\\/b"')).toBe('"a/b"')
})

test('a preview shows the first hit with what stands around it, and all hits it has room for', () => {
  const text = `${'x'.repeat(500)} Needle, needle ${'y'.repeat(500)} needle`
  const preview = previewOf(text, 'needle')!
  expect(preview.count).toBe(3)
  expect(preview.excerpt).toHaveLength(240)
  expect(preview.ranges.map(([from, to]) => preview.excerpt.slice(from, to))).toEqual(['Needle', 'needle'])
  expect(text.slice(preview.offset).startsWith(preview.excerpt)).toBe(true)
  expect(previewOf(text, 'nothing')).toBeUndefined()
})

test('a preview is not cut within a character', () => {
  const text = `${'😀'.repeat(31)}needle${'😀'.repeat(200)}`
  for (const start of [0, 1]) {
    const { excerpt } = previewOf('a'.repeat(start) + text, 'needle')!
    expect(excerpt.isWellFormed()).toBe(true)
  }
})
