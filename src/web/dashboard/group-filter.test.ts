import { expect, test } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { printFilter } from '../filter/print.ts'
import { groupFilter, combineFilters, otherFilter } from './group-filter.ts'

test.each([
  ['status', 'error', 'status = error'],
  ['user', null, 'user missing'],
  ['model', 'gpt-4.1', 'summary.usage.gpt-4\\.1 exists'],
  ['model', null, 'summary.usage missing'],
  ['op', 'answer', 'op = answer or op ~ "/op/answer:"'],
  ['attributes.release', '2.3.0', 'attributes.release = "2.3.0"'],
  ['attributes.n', '5', 'attributes.n = "5"'],
])('filter for the group %s = %s', (by, key, text) => {
  const filter = groupFilter(by, key)
  expect(printFilter(filter)).toBe(text)
  const parsed = parseFilter(text)
  expect(parsed.ok && parsed.filter).toEqual(filter)
})

test('calls outside all groups', () => {
  expect(printFilter(otherFilter('env', ['a', null]))).toBe('not env = a and not env missing')
})

test('the filter of the page is kept', () => {
  const page = parseFilter('status = error and latency > 2s')
  expect(combineFilters(page.ok ? page.filter : undefined, [groupFilter('op', 'x'), undefined])).toBe(
    'status = error and latency > 2s and (op = x or op ~ "/op/x:")',
  )
  expect(combineFilters(undefined, [undefined])).toBeUndefined()
})
