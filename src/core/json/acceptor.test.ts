import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../contract/operations.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { acceptorOf } from './acceptor.ts'

const names = ['call_start', 'call_end', 'call_upsert_batch', 'calls_complete', 'call_start_v2'] as const

const scalar = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('a/b', 'x'.repeat(257), '2026-11-17T10:00:00Z', '1899-12-31', 'start', 'end', ''),
  fc.constantFrom(0, -1, 7, 1.5, 2 ** 53, 1_760_000_000, Number.NaN, null, true, undefined),
  fc.constantFrom('{}', '[1]', '{"a":1}', 'null').map((text) => RawJson.fromText(text)),
)
const record = fc.record(
  {
    project_id: fc.oneof({ weight: 9, arbitrary: fc.constant('a/b') }, scalar),
    op_name: fc.oneof({ weight: 9, arbitrary: fc.constant('op') }, scalar),
    id: fc.oneof({ weight: 9, arbitrary: fc.constant('id') }, scalar),
    ...Object.fromEntries(
      [
        'trace_id parent_id display_name started_at ended_at wb_run_step exception wb_user_id',
        'attributes inputs output summary otel_dump unknown',
      ].flatMap((list) =>
        list
          .split(' ')
          .map((name) => [name, fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, scalar)]),
      ),
    ),
  },
  { requiredKeys: ['project_id', 'op_name', 'id'] },
)
const endRecord = record.map(({ op_name: _op_name, ...end }) => end)
const item = fc.oneof(
  record.map((start) => ({ mode: 'start', req: { start } })),
  endRecord.map((end) => ({ mode: 'end', req: { end } })),
  record,
  scalar,
)
const request = fc.record(
  {
    entity: fc.constantFrom('a', 'a/b'),
    project: fc.constant('b'),
    start: record,
    end: endRecord,
    batch: fc.oneof(fc.array(item, { maxLength: 3 }), scalar),
  },
  { requiredKeys: [] },
)

/** JSON has no undefined. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutUndefined(member)]))
}

describe('the acceptor of a schema', () => {
  test.each(names)('accepts for %s only what Zod returns unchanged', (name) => {
    const schema: z.ZodType = operations[name].request
    const accepts = acceptorOf(schema)!
    let accepted = 0
    const isOwn = (key: string): boolean => key in (schema._zod.def as unknown as { shape: object }).shape
    fc.assert(
      fc.property(request, fc.boolean(), (random, isCut) => {
        // Most requests have no members of other operations.
        const members = Object.entries(withoutUndefined(random) as object)
        const value = Object.fromEntries(isCut ? members.filter(([key]) => isOwn(key)) : members)
        const result = schema.safeParse(value)
        if (!accepts(value)) return
        accepted++
        expect(result.data).toEqual(value)
      }),
      { numRuns: 5_000 },
    )
    expect(accepted).toBeGreaterThan(50)
  })

  test('accepts a usual request', () => {
    const start = {
      project_id: 'a/b',
      op_name: 'op',
      id: 'i',
      started_at: '2026-11-17T10:00:00Z',
      parent_id: null,
      inputs: RawJson.fromText('{}'),
      wb_run_step: 3,
    }
    expect(acceptorOf(operations.call_start.request)!({ start })).toBe(true)
    expect(acceptorOf(operations.call_start.request)!({ start: { ...start, other: 1 } })).toBe(false)
  })

  test.each([
    ['a transformation', z.string().transform(Number)],
    ['a default', z.string().default('a')],
    ['trimming', z.string().trim()],
    ['coercion', z.coerce.number()],
    ['a format', z.iso.datetime()],
    ['a member that is changed', z.object({ a: z.string().toLowerCase() })],
    ['other members', z.looseObject({ a: z.string() })],
  ])('there is none for %s', (_, schema) => {
    expect(acceptorOf(schema)).toBeUndefined()
  })
})
