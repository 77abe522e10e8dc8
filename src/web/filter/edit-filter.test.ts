import { expect, test } from 'vitest'
import { applyEdit, type EditedPart } from './edit-filter.ts'

const FILTER = 'status = error and latency > 2s'

test.each<[string, string | undefined, EditedPart, string, string | undefined]>([
  ['a new condition is added', FILTER, 'new', 'model = gpt-4o', `${FILTER} and model = gpt-4o`],
  ['nothing typed changes nothing', FILTER, 'new', ' ', FILTER],
  ['and is optional', FILTER, 'new', 'and op = f', `${FILTER} and op = f`],
  ['or joins the whole filter', FILTER, 'new', 'or op = f', `${FILTER} or op = f`],
  ['alternatives are one condition', FILTER, 'new', 'op = f or op = g', `${FILTER} and (op = f or op = g)`],
  ['an edited condition is replaced in place', FILTER, 0, 'op = f', 'op = f and latency > 2s'],
  ['an emptied condition is removed', FILTER, 1, '', 'status = error'],
  ['an invalid filter is replaced', 'status =', 0, 'op = f', 'op = f'],
  ['the first condition', undefined, 'new', 'status = failed', 'status = error'],
])('%s', (_name, filter, part, draft, expected) => {
  expect(applyEdit({ filter }, part, draft)).toEqual({
    ok: true,
    input: { filter: expected, text: undefined },
  })
})

test('text that is not a condition is searched for, within the filter', () => {
  expect(applyEdit({ filter: FILTER }, 'new', 'refund')).toEqual({
    ok: true,
    input: { filter: FILTER, text: 'refund' },
  })
  expect(applyEdit({ text: 'refund' }, 'text', 'status = error')).toEqual({
    ok: true,
    input: { filter: 'status = error', text: undefined },
  })
})

test('a condition that cannot be applied is explained', () => {
  expect(applyEdit({ filter: FILTER }, 'new', 'latency > abc')).toMatchObject({ ok: false })
  expect(applyEdit({ filter: FILTER }, 'new', 'or latency >')).toMatchObject({ ok: false })
})
