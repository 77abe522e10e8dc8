import { expect, test } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { printFilter } from '../filter/print.ts'
import { groupFilter, combineFilters, otherFilter } from './group-filter.ts'

test.each([
  ['status', 'error', 'status = error'],
  ['user', null, 'user missing'],
  ['model', 'gpt-4.1', 'model = gpt-4.1'],
  ['model', null, 'model missing'],
  ['op', 'answer', 'op = answer'],
  ['attributes.release', '2.3.0', 'attributes.release = "2.3.0"'],
  ['attributes.n', '5', 'attributes.n = "5"'],
])('filter for the group %s = %s', (by, key, text) => {
  const filter = groupFilter(by, key)
  expect(printFilter(filter)).toBe(text)
  const parsed = parseFilter(text)
  expect(parsed.ok && parsed.filter).toEqual(filter)
})

test('calls outside all groups', () => {
  expect(printFilter(otherFilter('end_user', ['a', null]))).toBe('not end_user = a and not end_user missing')
})

test('the filter of the page is kept', () => {
  const page = parseFilter('status = error and latency > 2s')
  expect(combineFilters(page.ok ? page.filter : undefined, [groupFilter('op', 'x'), undefined])).toBe(
    'status = error and latency > 2s and op = x',
  )
  expect(combineFilters(undefined, [undefined])).toBeUndefined()
})
