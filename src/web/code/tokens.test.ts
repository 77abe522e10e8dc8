import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageFromFileName, tokenizeLines, tokenize } from './tokens.ts'

const words = (code: string, language: 'python' | 'javascript') =>
  tokenize(code, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)

test('Python', () => {
  expect(
    words('@weave.op\ndef ask(q: str) -> str:  # why\n    return f"{q} # no" + 1.5e3', 'python'),
  ).toEqual([
    'decorator @weave.op',
    'keyword def',
    'name ask',
    'comment # why',
    'keyword return',
    'string f"{q} # no"',
    'number 1.5e3',
  ])
})

test('a multi-line string is a string on each line', () => {
  const lines = tokenizeLines('x = """one\ntwo"""\ny', 'python')
  expect(lines.map((line) => line.map(({ kind }) => kind))).toEqual([
    ['plain', 'string'],
    ['string'],
    ['plain'],
  ])
})

test('TypeScript', () => {
  expect(words('export function f() { /* a\nb */ return `x ${1}` } // end', 'javascript')).toEqual([
    'keyword export',
    'keyword function',
    'name f',
    'comment /* a\nb */',
    'keyword return',
    'string `x ${1}`',
    'comment // end',
  ])
})

test('tokens contain every character', () => {
  const code = fc.string({ unit: fc.constantFrom(...Array.from('"\'`#/*@\\\n 1a_ü\u{1F600}\uD800'), 'def ') })
  fc.assert(
    fc.property(code, fc.constantFrom('python', 'javascript', 'text'), (text, language) => {
      const tokens = tokenize(text, language)
      expect(tokens.map((token) => token.text).join('')).toBe(text)
    }),
  )
})

test('detects the language from the file name', () => {
  expect(['obj.py', 'a.ts', 'b.mjs', 'c.tsx', 'd.txt'].map(languageFromFileName)).toEqual([
    'python',
    'javascript',
    'javascript',
    'javascript',
    'text',
  ])
})
