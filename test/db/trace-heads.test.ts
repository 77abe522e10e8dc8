import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** `traces_only` lists one call of each trace: its root, or as long as no root is stored, its earliest call without a stored parent. */

const server = useServer()
const PROJECT = 'acme/heads'

type Json = Record<string, unknown>

interface TestCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly second: number
}

const at = (second: number): string => new Date(Date.UTC(2026, 3, 1) + second * 1000).toISOString()

function record({ second, ...call }: TestCall): Json {
  const times = { started_at: at(second), ended_at: at(second + 1) }
  return { project_id: PROJECT, ...call, ...times, op_name: 'step', attributes: {}, inputs: {}, summary: {} }
}

async function send(...calls: readonly TestCall[]): Promise<void> {
  await server.post('/v2/acme/heads/calls/complete', { batch: calls.map(record) })
}

async function pages(extra: Json, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: unknown = null; ;) {
    const body = { filter: { traces_only: true }, columns: ['id'], limit, cursor, ...extra }
    const page = await server.post<{ calls: { id: string }[]; cursor: unknown }>(
      '/api/v1/projects/acme/heads/calls',
      body,
    )
    ids.push(...page.calls.map((call) => call.id))
    if (page.cursor === null) return ids
    cursor = page.cursor
  }
}

test('a trace without its root is listed by its earliest call without a stored parent, until the root arrives', async () => {
  const trace_ids = ['t-late', 't-whole']
  const list = async (): Promise<string[]> => (await pages({}, 50)).filter((id) => id.startsWith('x-'))
  await send(
    { id: 'x-root', trace_id: 't-whole', parent_id: null, second: 0 },
    { id: 'x-child', trace_id: 't-whole', parent_id: 'x-root', second: 1 },
    // Its clock is behind that of its parent.
    { id: 'x-early', trace_id: 't-late', parent_id: 'x-service', second: 2 },
    { id: 'x-service', trace_id: 't-late', parent_id: 'x-gateway', second: 3 },
    { id: 'x-sibling', trace_id: 't-late', parent_id: 'x-gateway', second: 4 },
  )
  expect(await list()).toEqual(['x-service', 'x-root'])
  const filter = { traces_only: true, trace_ids }
  expect(await server.post('/calls/query_stats', { project_id: PROJECT, filter })).toMatchObject({ count: 2 })
  const sorted = await server.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id: PROJECT,
    filter: { traces_only: true },
    sort_by: [
      { field: 'latency', direction: 'asc' },
      { field: 'started_at', direction: 'asc' },
    ],
    limit: 10,
  })
  expect(sorted.calls.map((call) => call.id)).toEqual(['x-root', 'x-service'])
  const metrics = { start: at(-60), end: at(60), bucket: 'none', filter: { traces_only: true } }
  expect(await server.post('/api/v1/projects/acme/heads/metrics', metrics)).toMatchObject({
    groups: [{ totals: { count: 2 } }],
  })
  await send({ id: 'x-gateway', trace_id: 't-late', parent_id: null, second: 1 })
  expect(await list()).toEqual(['x-gateway', 'x-root'])
  expect(await server.post('/calls/query_stats', { project_id: PROJECT, filter })).toMatchObject({ count: 2 })
})

const someTrace = fc.record({
  calls: fc.array(fc.record({ parent: fc.nat(9), second: fc.nat(400), isLost: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
})

/** What the definition says, call by call. */
function heads(calls: readonly TestCall[]): TestCall[] {
  const byTime = calls.toSorted((a, b) => a.second - b.second || (a.id < b.id ? -1 : 1))
  return [...new Set(byTime.map((call) => call.trace_id))].flatMap((trace_id) => {
    const members = byTime.filter((call) => call.trace_id === trace_id)
    const ids = new Set(members.map((call) => call.id))
    const roots = members.filter((call) => call.parent_id === null)
    return roots.length > 0 ? roots : members.filter((call) => !ids.has(call.parent_id ?? '')).slice(0, 1)
  })
}

test('pages of any size have every trace once, in any direction and split of their calls', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(someTrace, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 7 }),
      async (traces, limit) => {
        const base = 1_000_000 + ++run * 1000
        const all = traces.flatMap(({ calls }, t) =>
          calls.map(({ parent, second, isLost }, n) => ({
            id: `r${run}-${t}-${n}`,
            trace_id: `r${run}-${t}`,
            // Parents come first, so that there is no cycle; those with a high number were never stored.
            parent_id: n === 0 ? null : `r${run}-${t}-${parent >= n ? 90 + parent : parent}`,
            second: base + second,
            isLost,
          })),
        )
        const stored = all.flatMap(({ isLost, ...call }) => (isLost ? [] : [call]))
        const half = stored.filter((_, i) => i % 2 === 0)
        if (half.length > 0) await send(...half)
        if (stored.length > half.length) await send(...stored.filter((_, i) => i % 2 === 1), ...half)
        const expected = heads(stored)
          .toSorted((a, b) => a.second - b.second || (a.id < b.id ? -1 : 1))
          .map(({ id }) => id)
        const range = { after: at(base), before: at(base + 999) }
        expect(await pages({ ...range, direction: 'asc' }, limit)).toEqual(expected)
        expect(await pages({ ...range, direction: 'desc' }, limit)).toEqual(expected.toReversed())
      },
    ),
    { numRuns: 5, seed: 20_261_119 },
  )
})
