import { expect, test } from 'vitest'
import { matchExcerpt } from './match-excerpt.ts'

/** The text with its matches in brackets. */
function shown(excerpt: string, word: string): string {
  const from = excerpt.indexOf(word)
  const { text, ranges, isCut } = matchExcerpt({ excerpt, ranges: [[from, from + word.length]] })
  const [[start, end] = [0, 0]] = ranges
  return `${isCut ? '…' : ''}${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
}

test('a match is near the start of the line, after a whole word', () => {
  const excerpt = String.raw`{"type": "KeyError", "message": "\"order A-4425 not found in warehouse 'EU-2'\""}`
  expect(shown(excerpt, 'warehouse')).toBe(`…A-4425 not found in [warehouse] 'EU-2'""}`)
  expect(shown('warehouse 2', 'warehouse')).toBe('[warehouse] 2')
})

test('escapes and line breaks around a match become what they mean, the match stays', () => {
  expect(shown(String.raw`a\\n \"b\" x\ny z\"`, String.raw`x\ny`)).toBe(String.raw`a "b" [x\ny] z"`)
  expect(shown('a\n\n  b c', 'c')).toBe('a b [c]')
})

test('a long word is cut, but not a character', () => {
  expect(shown(`${'😀'.repeat(13)}xx`, 'xx')).toBe(`…${'😀'.repeat(12)}[xx]`)
  expect(shown(`a${'😀'.repeat(13)}yxx`, 'xx')).toBe(`…${'😀'.repeat(11)}y[xx]`)
})
