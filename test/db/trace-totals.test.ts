import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttributeValue, Span } from '../../src/otlp/model.ts'
import { parseJsonLines, useServer } from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/** What belongs to a trace is known for the trace, whichever call has it. */

const server = useServer()

interface Totals {
  readonly calls: number
  readonly errors: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly cost: number | null
  readonly [name: string]: unknown
}

const START = 1_790_000_000_000_000_000n
const id = (n: number): string => n.toString(16).padStart(16, '0')

function span(
  n: number,
  parent: number | undefined,
  attributes: Record<string, AttributeValue>,
  more: Partial<Span> = {},
): Span {
  const startNanos = START + BigInt(n) * 10_000_000n
  return makeSpan({
    traceId: `${id(7)}${id(9)}`,
    spanId: id(n + 1),
    parentSpanId: parent === undefined ? '' : id(parent + 1),
    name: `step ${n}`,
    startNanos,
    endNanos: startNanos + 5_000_000n,
    attributes: new Map(Object.entries(attributes)),
    ...more,
  })
}

function chat(input: number, output: number): Record<string, AttributeValue> {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': BigInt(input),
    'gen_ai.usage.output_tokens': BigInt(output),
  }
}

async function send(project_id: string, spans: readonly Span[]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id }
  const { status } = await server.send('/v1/traces', encodeTraces([...spans], 'protobuf'), { headers })
  expect(status).toBe(200)
}

async function list(project_id: string): Promise<{ id: string; trace_totals: Totals }[]> {
  const body = { filter: { traces_only: true }, columns: ['id'], include_trace_totals: true }
  const path = `/api/v1/projects/${project_id}/calls`
  return (await server.post<{ calls: { id: string; trace_totals: Totals }[] }>(path, body)).calls
}

test('tokens, cost, errors, end user, session, environment and tags of any span belong to the trace', async () => {
  const project_id = 'acme/totals'
  const inner = {
    ...chat(100, 20),
    'user.id': 'ada',
    'session.id': 's-1',
    'deployment.environment.name': 'live',
  }
  await send(project_id, [
    span(0, undefined, { 'gen_ai.operation.name': 'invoke_agent' }),
    span(1, 0, inner),
    span(2, 0, chat(200, 30)),
    span(3, 0, { 'gen_ai.operation.name': 'execute_tool' }, { statusCode: 2, statusMessage: 'failed' }),
  ])
  const [first] = await list(project_id)
  expect(first?.trace_totals).toMatchObject({
    calls: 4,
    errors: 1,
    running: 0,
    prompt_tokens: 300,
    completion_tokens: 50,
    total_tokens: 350,
    models: ['gpt-4o'],
    unpriced: [],
    end_user: 'ada',
    session: 's-1',
    environment: 'live',
  })
  // $2.50 per million input tokens, $10 per million output tokens.
  expect(first?.trace_totals.cost).toBeCloseTo(0.00125, 9)
})

test('traces are filtered and grouped by the end user and the session that only inner spans have', async () => {
  const project_id = 'acme/users'
  await send(project_id, [
    span(0, undefined, {}),
    span(1, 0, { ...chat(100, 20), 'user.id': 'ada', 'session.id': 's-1' }),
    span(2, 0, { ...chat(100, 20), 'user.id': 'ada', 'session.id': 's-1' }),
  ])
  const other = { traceId: `${id(8)}${id(8)}` }
  await send(project_id, [span(5, undefined, {}, other), span(6, 5, { 'session.id': 's-2' }, other)])
  const ids = async (expression: unknown): Promise<number> => {
    const filter = { traces_only: true }
    const query = { $expr: expression }
    const body = { filter, query, columns: ['id'] }
    return (await server.post<{ calls: unknown[] }>(`/api/v1/projects/${project_id}/calls`, body)).calls
      .length
  }
  const is = (field: string, literal: unknown): unknown => ({
    $eq: [{ $getField: field }, { $literal: literal }],
  })
  expect(await ids(is('end_user', 'ada'))).toBe(1)
  expect(await ids(is('session', 's-2'))).toBe(1)
  expect(await ids(is('end_user', 'bob'))).toBe(0)
  expect(await ids({ $not: [is('end_user', 'ada')] })).toBe(1)
  const { groups } = await server.post<{ groups: unknown[] }>(`/api/v1/projects/${project_id}/metrics`, {
    start: '2026-01-01T00:00:00Z',
    end: '2027-01-01T00:00:00Z',
    bucket: 'none',
    filter: { traces_only: true },
    group_by: ['end_user'],
    measures: ['count', 'errors', 'total_tokens', 'p95_latency_ms'],
    rank_by: 'total_tokens',
  })
  expect(groups).toMatchObject([
    { key: { end_user: 'ada' }, totals: { count: 1, errors: 0, total_tokens: 240, p95_latency_ms: 5 } },
    { key: { end_user: null }, totals: { count: 1 } },
  ])
})

test('a session that only inner spans name is a thread with one turn for each trace', async () => {
  const { text } = await server.send('/threads/stream_query', { project_id: 'acme/users' })
  expect(parseJsonLines<{ thread_id: string; turn_count: number }>(text)).toMatchObject([
    { thread_id: 's-2', turn_count: 1 },
    { thread_id: 's-1', turn_count: 1 },
  ])
})

test('a trace whose root never arrives has totals, and two instrumentations of one request count once', async () => {
  const project_id = 'acme/orphan-totals'
  const request = { startNanos: START + 21_000_000n, endNanos: START + 24_000_000n }
  await send(project_id, [
    span(1, 0, chat(100, 20)),
    span(2, 0, chat(110, 30)),
    span(3, 2, chat(100, 30), request),
  ])
  expect((await list(project_id)).map((call) => call.trace_totals.total_tokens)).toEqual([260])
  const beside = span(4, 0, chat(110, 30), { ...request, name: 'messages.create' })
  await send('acme/beside', [
    span(2, 0, { ...chat(110, 30), 'gen_ai.operation.name': 'text_completion' }),
    beside,
  ])
  expect((await list('acme/beside')).map((call) => call.trace_totals.total_tokens)).toEqual([140])
})

const someTrace = fc.array(
  fc.record({ parent: fc.nat(9), isModel: fc.boolean(), input: fc.integer({ min: 1, max: 1000 }) }),
  { minLength: 1, maxLength: 7 },
)

test('totals equal the sum over the model calls, for any order, split, duplicate and late root', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      someTrace.chain((calls) =>
        fc.tuple(
          fc.constant(calls),
          fc.shuffledSubarray([...calls.keys(), ...calls.keys()], { minLength: calls.length * 2 }),
          fc.integer({ min: 1, max: 4 }),
        ),
      ),
      async ([calls, order, size]) => {
        const project_id = `acme/sum-${++run}`
        const isLeaf = (n: number): boolean =>
          !calls.some(({ parent }, child) => child > n && parent % child === n)
        // A model is called in leaves: a request of a model makes no other.
        const isModel = calls.map((call, n) => call.isModel && isLeaf(n))
        const spans = calls.map(({ parent, input }, n) =>
          span(n, n === 0 ? undefined : parent % n, isModel[n] === true ? chat(input, n) : {}),
        )
        const expected = calls.reduce((sum, { input }, n) => (isModel[n] === true ? sum + input + n : sum), 0)
        for (let i = 0; i < order.length; i += size)
          await send(
            project_id,
            order.slice(i, i + size).map((n) => spans[n]!),
          )
        expect(
          (await list(project_id)).map(({ trace_totals: { calls, total_tokens } }) => [calls, total_tokens]),
        ).toEqual([[spans.length, expected]])
      },
    ),
    { numRuns: 8, seed: 20_261_119 },
  )
})
