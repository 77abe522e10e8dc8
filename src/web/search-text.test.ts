import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PageName, readSearch } from './search-state.ts'
import { parseSearch, stringifySearch } from './search-text.ts'

const texts = fc.string({ unit: 'binary' }).filter((text) => text !== '' && text.isWellFormed())

test('any text of any page comes back from the address', () => {
  const searches = fc
    .constantFrom(...(Object.keys(readSearch) as PageName[]))
    .chain((page) =>
      fc.tuple(
        fc.constant(page),
        fc.dictionary(fc.oneof(texts, fc.constantFrom('text', 'range', 'filter', 'sort', 'tab')), texts),
      ),
    )
  fc.assert(
    fc.property(searches, ([page, search]) => {
      const address = new URL(`/acme/shop${stringifySearch(search)}`, 'https://heddle.test')
      expect([address.pathname, address.hash]).toEqual(['/acme/shop', ''])
      expect(parseSearch(address.search)).toEqual(search)
      const state = readSearch[page](parseSearch(address.search))
      expect(readSearch[page](parseSearch(stringifySearch(state)))).toEqual(state)
      for (const [name, text] of Object.entries(state)) expect(text).toBe(search[name])
    }),
  )
})

test('any address can be read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const read of Object.values(readSearch))
        for (const value of Object.values(read(parseSearch(text)))) expect(value).toMatch(/^[^]+$/)
    }),
  )
})

test('names of the language are parameters like others, and change no object', () => {
  const search = parseSearch('?__proto__=a&constructor=b&toString=c&text=late')
  expect(Object.getPrototypeOf(search)).toBe(Object.prototype)
  expect(readSearch.threads(search)).toEqual({ text: 'late' })
  expect(readSearch.threads({ text: { toString: () => 'late' }, range: ['7d'], sort: null })).toEqual({})
})

test('what is absent or empty is not in the address, and the last of two values counts', () => {
  expect(stringifySearch({ text: '', range: undefined, live: true, sort: 5 })).toBe('')
  expect(stringifySearch({})).toBe('')
  expect(parseSearch('?text=a&text=b')).toEqual({ text: 'b' })
})

test('people can read a filter in the address', () => {
  expect(stringifySearch({ filter: 'tag:a/b,c', text: '50% & more' })).toBe(
    '?filter=tag:a/b,c&text=50%25+%26+more',
  )
})
