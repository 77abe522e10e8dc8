import { expect, test } from 'vitest'
import { readSearch } from './search-state.ts'
import { readListSearch } from './traces/list-search.ts'

test('a page reads its own parameters, and only texts that are not empty', () => {
  const search = { range: '7d', sort: '', text: 5, filter: 'status = error' }
  expect(readSearch.threads(search)).toEqual({ range: '7d' })
  expect(readSearch.traces(search)).toEqual({ range: '7d', filter: 'status = error' })
})

test('the traces page opens what SDK links call a view', () => {
  expect(readListSearch({ view: 'transcript', call: 'c' })).toEqual({ view: 'transcript', call: 'c' })
  expect(readListSearch({ view: 'slow-answers' })).toEqual({ open: 'slow-answers' })
})
