import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeJson } from '../json/write.ts'
import { callCopier } from './call-copy.ts'
import { type StoredCallRow, viewCall } from './call-view.ts'

const text = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'ä', '中', '👍', '/', ',', ':', '}'), maxLength: 12 }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      ',',
      '"',
      '\\',
      '\n',
      'weave:///a/b/op/c:d',
      '},{',
      '\u2028',
      '\u0085',
      'ä',
    ),
  },
)
const steps = fc.constantFrom('0', '7', '999999999999999', '18446744073709551615')
const required = {
  id: text,
  project_id: text,
  trace_id: text,
  op_name: text,
  started_at: fc.constant('2026-11-17T10:00:00.000001Z'),
}
const optional = {
  display_name: text,
  parent_id: text,
  thread_id: text,
  turn_id: text,
  ended_at: fc.option(fc.constant('2026-11-17T10:00:01.000000Z')),
  exception: fc.option(text),
  wb_user_id: text,
  wb_run_id: text,
  wb_run_step: fc.option(steps),
  wb_run_step_end: fc.option(steps),
}
const row = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) as [] })

describe('a copied call', () => {
  test('equals the view of the parsed row', () => {
    let copied = 0
    fc.assert(
      fc.property(row, (stored) => {
        const line = callCopier(Object.keys(stored))?.(JSON.stringify(stored))?.line
        if (line === undefined) return
        copied++
        expect(line.text).toBe(writeJson(viewCall(stored as StoredCallRow)))
      }),
      { numRuns: 2_000 },
    )
    expect(copied).toBeGreaterThan(200)
  })

  const copy = callCopier(['id', 'parent_id', 'exception', 'wb_run_step'])!
  test.each([
    ['escapes', '{"id":"a\\"","parent_id":"","exception":null,"wb_run_step":null}'],
    [
      'a number that the view rounds',
      '{"id":"a","parent_id":"","exception":null,"wb_run_step":"18446744073709551615"}',
    ],
    ['a line break of Unicode', '{"id":"a\u0085","parent_id":"","exception":null,"wb_run_step":null}'],
    ['another order', '{"parent_id":"","id":"a","exception":null,"wb_run_step":null}'],
    ['more columns', '{"id":"a","parent_id":"","exception":null,"wb_run_step":null,"b":1}'],
    ['an error in its middle', '{"id":"a","parent_id":"Code: 241. DB::Exception: Memory limit exceeded'],
    ['an error after a value', '{"id":"a","parent_id":"b"Code: 241. DB::Exception: Memory limit exceeded'],
    ['an error in place of a value', '{"id":"a","parent_id":Code: 241. DB::Exception: Memory limit exceeded'],
  ])('a row with %s is parsed', (_, line) => {
    expect(copy(line)).toBeUndefined()
  })

  test('payloads are not copied', () => {
    expect(callCopier(['id', 'inputs'])).toBeUndefined()
    expect(callCopier(['id', 'summary'])).toBeUndefined()
  })
})
