import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayContainInValue } from './json-prefilter.ts'
import { compile, sql } from './sql.ts'

/** The texts that the prefilter of a substring test searches for; undefined if there is none. */
function searchedTexts(text: string, ignoresCase = false): string[] | undefined {
  const prefilter = mayContainInValue(sql`document`, text, ignoresCase)
  return prefilter && Object.values(compile(prefilter).params).flatMap((value) => value as string | string[])
}

describe('the prefilter of a substring test', () => {
  test.each([
    // White space and most letters occur only in strings, which are stored as they are.
    ['a, b: c', 'a, b: c'],
    ['say "hello" to', 'hello'],
    ['a/long path', 'long path'],
    ['Zürich', 'Zürich'],
    // The document may have white space between tokens.
    ['null,[true', 'null'],
    ['],"text":["some', 'text'],
    ['x'.repeat(500), 'x'.repeat(100)],
  ])('%s searches for %s', (text, run) => {
    expect(searchedTexts(text)).toEqual([run, '\\u'])
  })

  test.each(['', '12', '1.5e', '[1,2]', '"', '\\', '\n', '"/"'])('there is none for %j', (text) => {
    expect(searchedTexts(text)).toBeUndefined()
  })

  test('without case, letters that become ASCII ones are searched too', () => {
    expect(searchedTexts('Zürich', true)).toEqual(['rich', '\\u', '\u0130', '\u0131'])
    expect(searchedTexts('ask', true)).toEqual(['ask', '\\u', '\u017f', '\u212a'])
    expect(searchedTexts('ü', true)).toBeUndefined()
  })

  test('line separators are searched where their escape may match', () => {
    expect(searchedTexts('u2028')).toEqual(['u2028', '\\u', '\u2028', '\u2029'])
    expect(searchedTexts('8 of')).toEqual(['8 of', '\\u', '\u2028', '\u2029'])
  })

  const value = fc.jsonValue({ maxDepth: 3 })
  const indent = fc.constantFrom(0, 1, 2)
  test('holds for every document whose value contains the text', () => {
    fc.assert(
      fc.property(value, indent, fc.nat(), fc.nat(40), fc.boolean(), (json, spaces, from, length, isRaw) => {
        const document = JSON.stringify(json, null, spaces)
        const text = typeof json === 'string' && !isRaw ? json : minified(json)
        const start = from % (text.length + 1)
        const texts = searchedTexts(text.slice(start, start + length).toWellFormed())
        const isFound = texts === undefined || texts.some((each) => document.includes(each))
        expect([document, texts, isFound]).toEqual([document, texts, true])
      }),
      { numRuns: 2_000 },
    )
  })

  test('holds for every document whose value contains the text without case', () => {
    fc.assert(
      fc.property(value, indent, fc.nat(), fc.nat(40), (json, spaces, from, length) => {
        const document = JSON.stringify(json, null, spaces)
        const text = minified(json)
        const start = from % (text.length + 1)
        const [run, ...others] =
          searchedTexts(
            text
              .slice(start, start + length)
              .toWellFormed()
              .toUpperCase(),
            true,
          ) ?? []
        const isFound =
          run === undefined ||
          document.toLowerCase().includes(run.toLowerCase()) ||
          others.some((each) => document.includes(each))
        expect([document, run, others, isFound]).toEqual([document, run, others, true])
      }),
      { numRuns: 2_000 },
    )
  })
})

/** As ClickHouse formats a value. */
function minified(json: unknown): string {
  return JSON.stringify(json).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
