import { beforeAll, describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { turn } from '../otlp/conversation-spans.ts'

/** Queries of agents, on spans as Weave's SDK sends them for conversations. */

const server = useServer()
const PROJECT = 'acme/agents'
type Json = Record<string, unknown>

const first = turn(0, '1')
const second = turn(60, '2', { statusCode: 2, statusMessage: 'no weather' })

async function query(path: string, body: Json = {}): Promise<Json> {
  return server.post(path, { project_id: PROJECT, ...body })
}

async function refusal(path: string, body: Json): Promise<string> {
  const { status, text } = await server.send(path, { project_id: PROJECT, ...body })
  expect(status).toBe(422)
  return text
}

beforeAll(async () => {
  const headers = { 'content-type': 'application/x-protobuf', project_id: PROJECT }
  // Twice, as after a lost response.
  for (let i = 0; i < 2; i++) {
    const body = encodeTraces([...first.all, ...second.all], 'protobuf')
    const { status } = await server.send('/agents/otel/v1/traces', body, { headers })
    if (status !== 200) throw new Error(`the spans were refused with ${status}`)
  }
  // No span: a call of the SDK.
  const attributes = { agent: { name: 'no-span' } }
  await server.post('/call/start', { start: { project_id: PROJECT, op_name: 'op', attributes } })
})

describe('agents', () => {
  test('are the names in spans, each span counted once', async () => {
    expect(await query('/agents/query')).toEqual({
      total_count: 2,
      agents: [
        {
          project_id: PROJECT,
          agent_name: 'helper',
          invocation_count: 2,
          span_count: 4,
          total_input_tokens: 200,
          total_output_tokens: 0,
          total_duration_ms: 6000,
          error_count: 0,
          first_seen: '2026-04-01T00:00:03.000000Z',
          last_seen: '2026-04-01T00:01:04.000000Z',
          total_cost_usd: null,
        },
        {
          project_id: PROJECT,
          agent_name: 'bot',
          invocation_count: 2,
          span_count: 2,
          total_input_tokens: 0,
          total_output_tokens: 0,
          total_duration_ms: 20_000,
          error_count: 1,
          first_seen: '2026-04-01T00:00:00.000000Z',
          last_seen: '2026-04-01T00:01:00.000000Z',
          total_cost_usd: null,
        },
      ],
    })
  })

  const names = async (body: Json): Promise<unknown> => {
    const { agents, total_count } = await query('/agents/query', body)
    return [(agents as Json[]).map((agent) => agent['agent_name']), total_count]
  }

  test('are filtered, sorted, by default descending, and paged', async () => {
    expect(await names({ filters: { agent_name: 'bot' } })).toEqual([['bot'], 1])
    expect(await names({ filters: { agent_name: '' } })).toEqual([[], 0])
    expect(await names({ sort_by: [{ field: 'error_count' }] })).toEqual([['bot', 'helper'], 2])
    expect(await names({ limit: 1, offset: 1 })).toEqual([['bot'], 2])
    expect(await names({ limit: 0, offset: 5 })).toEqual([[], 2])
  })

  test('have versions', async () => {
    const { versions, total_count } = await query('/agents/agent-versions/query', {
      agent_name: 'bot',
      sort_by: [{ field: 'first_seen', direction: 'asc' }],
    })
    expect(total_count).toBe(2)
    expect(versions).toMatchObject([
      { agent_name: 'bot', agent_version: '1', error_count: 0, span_count: 1 },
      { agent_name: 'bot', agent_version: '2', error_count: 1, span_count: 1 },
    ])
    const helper = await query('/agents/agent-versions/query', { agent_name: 'helper' })
    expect(helper).toMatchObject({ versions: [{ agent_version: '', span_count: 4 }], total_count: 1 })
  })

  test('what cannot be served is refused', async () => {
    expect(await refusal('/agents/query', { include_costs: true })).toContain('metrics of the project')
    expect(await refusal('/agents/query', { sort_by: [{ field: 'name' }] })).toContain('must be last_seen or')
    expect(await refusal('/agents/query', { filters: { agent: 'bot' } })).toContain('filters.agent')
  })
})

describe('spans', () => {
  const spans = async (body: Json = {}): Promise<Json[]> =>
    (await query('/agents/spans/query', body))['spans'] as Json[]
  const eq = (field: string, value: unknown): Json => ({ $eq: [{ $getField: field }, { $literal: value }] })
  const found = async ($expr: Json): Promise<unknown[]> =>
    (await spans({ query: { $expr } })).map(({ span_id }) => span_id)

  test('have the fields of what was sent', async () => {
    const [chat] = await spans({ query: { $expr: eq('span_id', first.chat.spanId) }, include_details: true })
    expect(chat).toMatchObject({
      project_id: PROJECT,
      trace_id: first.root.traceId,
      span_id: first.chat.spanId,
      parent_span_id: first.root.spanId,
      span_name: 'chat gpt-4o',
      span_kind: 'INTERNAL',
      status_code: 'UNSET',
      started_at: '2026-04-01T00:00:01.000000Z',
      ended_at: '2026-04-01T00:00:02.000000Z',
      operation_name: 'chat',
      provider_name: 'openai',
      agent_name: null,
      request_model: 'gpt-4o',
      response_model: 'gpt-4o-2024',
      conversation_id: 'conv-1',
      conversation_name: 'Weather',
      input_tokens: 5,
      output_tokens: 7,
      custom_attrs_string: { 'team.name': 'north' },
      custom_attrs_int: { 'team.size': 4 },
      custom_attrs_float: { 'team.share': 0.5 },
      custom_attrs_bool: { 'team.active': true },
      input_messages: [{ role: 'user', content: 'weather?', finish_reason: '' }],
      output_messages: [{ role: 'assistant', content: 'Rain tomorrow.', finish_reason: '' }],
    })
    expect(JSON.parse(chat?.['raw_span_dump'] as string)).toMatchObject({ span: { name: 'chat gpt-4o' } })
    const [tool] = await spans({
      query: { $expr: eq('tool_name', 'search') },
      include_details: true,
      limit: 1,
    })
    expect(tool).toMatchObject({
      tool_call_id: 't-1',
      tool_call_arguments: '{"q":"rain"}',
      tool_call_result: '{"found":1}',
      input_tokens: null,
    })
  })

  test('have no messages without include_details', async () => {
    const [chat] = await spans({ query: { $expr: eq('span_id', first.chat.spanId) } })
    expect(chat).toMatchObject({
      input_messages: [],
      output_messages: [],
      raw_span_dump: null,
      input_tokens: 5,
    })
  })

  test('are newest first, counted and paged; calls of SDKs are not spans', async () => {
    const all = await query('/agents/spans/query', { limit: 3, offset: 1 })
    expect(all).toMatchObject({ total_count: 10, groups: [] })
    const ids = (all['spans'] as Json[]).map(({ span_id }) => span_id)
    expect(ids).toEqual([second.helper.spanId, second.tool.spanId, second.chat.spanId])
    const period = { started_after: '2026-04-01T00:00:04Z', started_before: '2026-04-01T00:01:00Z' }
    expect(await query('/agents/spans/query', period)).toMatchObject({ total_count: 1 })
  })

  test('are selected by their fields', async () => {
    expect(await found(eq('agent_name', 'bot'))).toEqual([second.root.spanId, first.root.spanId])
    expect(await found(eq('status_code', 'ERROR'))).toEqual([second.root.spanId])
    expect(await found({ $and: [eq('conversation_id', 'conv-1'), eq('agent_version', '1')] })).toEqual([
      first.root.spanId,
    ])
    expect(
      await found({ $not: [{ $or: [eq('status_code', 'ERROR'), eq('parent_span_id', null)] }] }),
    ).toHaveLength(8)
    expect(await found({ $not: [eq('status_code', 'UNSET')] })).toHaveLength(1)
    expect(await found({ $gt: [{ $getField: 'input_tokens' }, { $literal: 50 }] })).toHaveLength(2)
    expect(await found(eq('parent_span_id', first.helper.spanId))).toEqual([first.inner.spanId])
    const contains = {
      input: { $getField: 'span_name' },
      substr: { $literal: 'GPT' },
      case_insensitive: true,
    }
    expect(await found({ $contains: contains })).toHaveLength(2)
  })

  test('are sorted by their fields', async () => {
    const sorted = await spans({
      sort_by: [{ field: 'input_tokens' }, { field: 'started_at', direction: 'asc' }],
    })
    const ids = sorted.map(({ span_id }) => span_id).slice(0, 3)
    expect(ids).toEqual([first.inner.spanId, second.inner.spanId, first.chat.spanId])
  })

  test.each([
    [{ group_by: [{ key: 'agent_name' }] }, '/agents/spans/stats groups spans'],
    [{ measures: [{ alias: 'n', aggregation: 'count' }] }, '/agents/spans/stats groups spans'],
    [{ include_costs: true }, 'metrics of the project'],
    [{ signal_filters: { tags: ['good'] } }, 'scores.*'],
    [{ insight_filters: [{ field: 'intent_category', values: ['x'] }] }, 'no insights'],
    [{ custom_attr_columns: [{ key: 'team.name' }] }, 'has all of its attributes'],
    [{ sort_by: [{ field: 'op_name' }] }, 'must be trace_id or'],
    [{ query: { $expr: eq('op_name', 'x') } }, 'allowed: trace_id, span_id'],
    [{ query: { $expr: eq('agent_name', 'x'), limit: 1 } }, 'query.limit'],
  ])('%j is refused', async (body, reason) => {
    expect(await refusal('/agents/spans/query', body)).toContain(reason)
  })
})

describe('custom attributes', () => {
  const attributes = async (body: Json = {}): Promise<unknown> => {
    const found = await query('/agents/spans/custom-attrs/schema', body)
    return (found['attributes'] as Json[]).map(({ source, key, span_count }) => [source, key, span_count])
  }
  const expected = [
    ['custom_attrs_bool', 'team.active', 2],
    ['custom_attrs_string', 'team.name', 2],
    ['custom_attrs_float', 'team.share', 2],
    ['custom_attrs_int', 'team.size', 2],
  ]

  test('are listed with their types and the number of their spans', async () => {
    expect(await attributes()).toEqual(expected)
    const page = await query('/agents/spans/custom-attrs/schema', { limit: 1, offset: 3 })
    const last = { source: 'custom_attrs_int', key: 'team.size', value_type: 'int', span_count: 2 }
    expect(page).toEqual({ attributes: [last], limit: 1, offset: 3, has_more: false })
    expect(await query('/agents/spans/custom-attrs/schema', { limit: 3 })).toMatchObject({ has_more: true })
  })

  test('are of the selected spans', async () => {
    expect(await attributes({ started_before: '2026-04-01T00:01:00Z' })).toEqual(
      expected.map(([source, key]) => [source, key, 1]),
    )
    const named = { $eq: [{ $getField: 'agent_name' }, { $literal: 'bot' }] }
    expect(await attributes({ query: { $expr: named } })).toEqual([])
  })
})

describe('statistics of spans', () => {
  const stats = (body: Json): Promise<Json> =>
    query('/agents/spans/stats', {
      start: '2026-04-01T00:00:00Z',
      end: '2026-04-01T00:02:00Z',
      granularity: 60,
      ...body,
    })
  const metric = (source: string, key: string, value_type: string, ...aggregations: string[]): Json => ({
    alias: key,
    value: { source, key },
    value_type,
    aggregations,
  })

  test('have a row for each bucket', async () => {
    const metrics = [
      metric('field', 'input_tokens', 'number', 'sum', 'max'),
      { ...metric('derived', 'duration_ms', 'number', 'avg'), percentiles: [50] },
      metric('derived', 'is_error', 'boolean', 'count_true'),
      metric('derived', 'is_invocation', 'boolean', 'count_true', 'count_false'),
      metric('field', 'agent_name', 'string', 'count', 'count_distinct'),
    ]
    const result = await stats({ metrics, end: '2026-04-01T00:03:00Z' })
    expect(result).toMatchObject({ granularity: 60, timezone: 'UTC', bucket_type: 'time' })
    expect((result['columns'] as Json[]).map(({ name }) => name)).toEqual(
      Object.keys((result['rows'] as Json[])[0]!).toSorted(byName(result)),
    )
    const row = {
      timestamp: '2026-04-01T00:00:00+00:00',
      count: 5,
      sum_input_tokens: 105,
      max_input_tokens: 100,
      avg_duration_ms: 3000,
      p50_duration_ms: 1000,
      count_true_is_error: 0,
      count_true_is_invocation: 2,
      count_false_is_invocation: 3,
      count_agent_name: 3,
      count_distinct_agent_name: 2,
    }
    const empty = { count: 0, sum_input_tokens: 0, max_input_tokens: null, count_distinct_agent_name: 0 }
    expect(result['rows']).toMatchObject([row, { count: 5, count_true_is_error: 1 }, empty])
  })

  /** The order of the columns. */
  function byName(result: Json): (a: string, b: string) => number {
    const names = (result['columns'] as Json[]).map(({ name }) => name)
    return (a, b) => names.indexOf(a) - names.indexOf(b)
  }

  test('are grouped, the largest groups only', async () => {
    const group_by = [
      { key: 'operation_name', alias: 'operation' },
      { source: 'column', key: 'agent_name' },
    ]
    const { rows } = await stats({ group_by, granularity: 120 })
    expect(rows).toHaveLength(5)
    expect(rows).toContainEqual({
      timestamp: '2026-04-01T00:00:00+00:00',
      operation: 'chat',
      agent_name: null,
      count: 2,
    })
    const largest = await stats({ group_by: group_by.slice(0, 1), group_limit: 2, granularity: 120 })
    const operations = (largest['rows'] as Json[]).map(({ operation }) => operation)
    expect([operations.length, new Set(operations)]).toEqual([2, new Set(['chat', 'invoke_agent'])])
    const statuses = await stats({ group_by: [{ key: 'status_code' }], granularity: 120 })
    expect(statuses['rows']).toMatchObject([
      { status_code: 'UNSET', count: 9 },
      { status_code: 'ERROR', count: 1 },
    ])
  })

  test('are of the spans that a query selects', async () => {
    const expression = { $eq: [{ $getField: 'status_code' }, { $literal: 'ERROR' }] }
    const { rows } = await stats({ query: { $expr: expression }, granularity: 120 })
    expect(rows).toMatchObject([{ count: 1 }])
    const group_by = [{ key: 'agent_name' }]
    const none = { $eq: [{ $getField: 'agent_name' }, { $literal: 'nobody' }] }
    expect(await stats({ query: { $expr: none }, group_by })).toMatchObject({ rows: [] })
  })

  test.each([
    [
      { metrics: [metric('field', 'cost', 'number', 'sum')] },
      'must be a field (input_tokens, output_tokens, trace_id',
    ],
    [{ metrics: [metric('derived', 'input_tokens', 'number', 'sum')] }, 'derived (duration_ms'],
    [{ metrics: [metric('field', 'input_tokens', 'string', 'count')] }, 'must be number'],
    [{ metrics: [metric('field', 'agent_name', 'string', 'sum')] }, 'count, count_distinct'],
    [{ metrics: [metric('custom_attrs_int', 'size', 'number', 'sum')] }, 'must be field or derived'],
    [{ metrics: [metric('field', 'started_at', 'datetime', 'min')] }, 'must be number, boolean or string'],
    [{ group_by: [{ key: 'input_tokens' }] }, 'must be trace_id or'],
    [{ group_by: [{ key: 'agent_name', alias: 'count' }] }, 'must be unique'],
    [{ bucket_by: { type: 'number' } }, 'must be time'],
    [{ group_filters: [{ measure: { alias: 'n', aggregation: 'count' } }] }, 'must be empty'],
  ])('%j is refused', async (body, reason) => {
    const request = { start: '2026-04-01', end: '2026-04-02', ...body }
    expect(await refusal('/agents/spans/stats', request)).toContain(reason)
  })
})
