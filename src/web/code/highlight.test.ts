import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlightLines } from './highlight.ts'

const words = (code: string, fileName: string) =>
  highlightLines(code, fileName)
    .flat()
    .filter(({ kind }) => kind !== '')
    .map(({ kind, text }) => `${kind} ${text}`)

test('Python', () => {
  expect(
    words('@weave.op\ndef ask(q: str) -> str:  # why\n    return "# no" + 1.5e3 if q else None', 'obj.py'),
  ).toEqual([
    'decorator @',
    'decorator weave',
    'decorator .',
    'decorator op',
    'keyword def',
    'name ask',
    'comment # why',
    'keyword return',
    'string "# no"',
    'number 1.5e3',
    'keyword if',
    'keyword else',
    'keyword None',
  ])
})

test('a multi-line string is a string on each line', () => {
  const lines = highlightLines('x = """one\ntwo"""\ny', 'obj.py')
  expect(lines.map((line) => line.map(({ kind }) => kind))).toEqual([['', 'string'], ['string'], ['']])
})

test('TypeScript', () => {
  expect(words('export function f() { /* a\nb */ return `x ${1}` } // end', 'obj.ts')).toEqual([
    'keyword export',
    'keyword function',
    'name f',
    'comment /* a',
    'comment b */',
    'keyword return',
    'string `x ',
    'number 1',
    'string `',
    'comment // end',
  ])
})

test('names of definitions, escapes and decorators', () => {
  expect(words('class A:\n    x = "a\\n"', 'obj.py')).toEqual(['keyword class', 'name A', 'string "a\\n"'])
  expect(words('@op() class B {}', 'obj.ts')).toEqual([
    'decorator @',
    'decorator op',
    'keyword class',
    'name B',
  ])
  expect(words('interface C { a: true }', 'obj.ts')).toEqual(['keyword interface', 'name C', 'keyword true'])
})

test('other languages are plain text', () => {
  expect(highlightLines('a "b"\nc', 'notes.txt')).toEqual([
    [{ kind: '', text: 'a "b"' }],
    [{ kind: '', text: 'c' }],
  ])
})

test('the lines contain every character', () => {
  const code = fc.string({ unit: fc.constantFrom(...Array.from('"\'`#/*@\\\n 1a_ü\u{1F600}\uD800'), 'def ') })
  fc.assert(
    fc.property(code, fc.constantFrom('a.py', 'b.mjs', 'c.tsx', 'd.txt'), (text, fileName) => {
      const lines = highlightLines(text, fileName).map((line) => line.map((token) => token.text).join(''))
      expect(lines.join('\n')).toBe(text)
    }),
  )
})
