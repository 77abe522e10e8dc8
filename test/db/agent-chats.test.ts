import { beforeAll, expect, test } from 'vitest'
import type { Span } from '../../src/otlp/model.ts'
import { useServer } from '../harness.ts'
import { messages, span, turn } from '../otlp/conversation-spans.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { newSpanIds } from '../otlp/make-span.ts'

/** Turns of conversations as messages. */

const server = useServer()
const PROJECT = 'acme/chats'

type Json = Record<string, unknown>

const first = turn(0, '1')
const second = turn(60, '2', { statusCode: 2, statusMessage: 'no weather' })

async function query(path: string, body: Json = {}): Promise<Json> {
  return server.post(path, { project_id: PROJECT, ...body })
}

async function sendSpans(project_id: string, spans: readonly Span[]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id }
  const { status } = await server.send('/agents/otel/v1/traces', encodeTraces(spans, 'protobuf'), { headers })
  if (status !== 200) throw new Error(`the spans were refused with ${status}`)
}

beforeAll(async () => {
  await sendSpans(PROJECT, [...first.all, ...second.all])
})

const types = (turn: unknown): unknown[] => ((turn as Json)['messages'] as Json[]).map(({ type }) => type)

test('a trace is a list of messages, each said once', async () => {
  const { messages: list, ...trace } = await query('/agents/traces/chat', { trace_id: first.root.traceId })
  expect(trace).toEqual({
    trace_id: first.root.traceId,
    root_span_name: 'invoke_agent bot',
    agent_name: 'bot',
    agent_version: '1',
    provider: 'openai',
    status_code: 'UNSET',
    wb_user_id: 'admin',
    started_at: '2026-04-01T00:00:00.000000Z',
    ended_at: '2026-04-01T00:00:10.000000Z',
    total_duration_ms: 10_000,
    total_input_tokens: 105,
    total_output_tokens: 7,
    total_reasoning_tokens: 0,
    total_cache_creation_input_tokens: 0,
    total_cache_read_input_tokens: 0,
    total_cost_usd: null,
    feedback: null,
  })
  expect(list).toMatchObject([
    { type: 'agent_start', span_id: first.root.spanId, agent_name: 'bot', agent_start: { model: null } },
    { type: 'user_message', user_message: { text: 'weather?' } },
    {
      type: 'assistant_message',
      span_id: first.chat.spanId,
      agent_name: 'bot',
      assistant_message: { text: 'Rain tomorrow.', model: 'gpt-4o-2024', input_tokens: 5, duration_ms: 1000 },
    },
    {
      type: 'tool_call',
      tool_call: { tool_name: 'search', tool_arguments: '{"q":"rain"}', tool_result: '{"found":1}' },
    },
    { type: 'agent_start', agent_name: 'helper' },
    { type: 'assistant_message', agent_name: 'helper', assistant_message: { text: 'from the helper' } },
  ])
})

test('a conversation has its latest turns, in time order', async () => {
  const request = { conversation_id: 'conv-1' }
  const all = await query('/agents/conversations/chat', request)
  expect(all).toMatchObject({ total_turns: 2, has_more: false, limit: 50, offset: 0 })
  const traces = (all['turns'] as Json[]).map(({ trace_id }) => trace_id)
  expect(traces).toEqual([first.root.traceId, second.root.traceId])
  expect((all['turns'] as Json[])[1]).toMatchObject({ status_code: 'ERROR' })
  const latest = await query('/agents/conversations/chat', { ...request, limit: 1 })
  expect(latest).toMatchObject({ has_more: true, turns: [{ trace_id: second.root.traceId }] })
  const earlier = await query('/agents/conversations/chat', { ...request, limit: 1, offset: 1 })
  expect(earlier).toMatchObject({ has_more: false, turns: [{ trace_id: first.root.traceId }] })
})

test('what is unknown has no messages', async () => {
  const trace = await query('/agents/traces/chat', { trace_id: 'unknown' })
  expect(trace).toMatchObject({ messages: [], status_code: null, total_duration_ms: null })
  const conversation = await query('/agents/conversations/chat', { conversation_id: 'unknown' })
  expect(conversation).toMatchObject({ turns: [], total_turns: 0, has_more: false })
})

test('feedback is on the turn, and on the messages below it', async () => {
  const ref = (span: Span): string => `weave:///${PROJECT}/call/${span.traceId.slice(-16)}${span.spanId}`
  const note = (span: Span, text: string): Json => ({
    project_id: PROJECT,
    weave_ref: ref(span),
    feedback_type: 'wandb.note.1',
    payload: { note: text },
  })
  await server.post('/feedback/create', note(first.root, 'the turn'))
  await server.post('/feedback/create', note(first.tool, 'the tool'))
  const request = { trace_id: first.root.traceId, include_feedback: true }
  const trace = await query('/agents/traces/chat', request)
  expect(trace).toMatchObject({ feedback: [{ payload: { note: 'the turn' } }] })
  const list = trace['messages'] as Json[]
  expect(list.find(({ type }) => type === 'tool_call')).toMatchObject({
    feedback: [{ payload: { note: 'the tool' }, weave_ref: ref(first.tool) }],
  })
  expect(list[0]).toMatchObject({ feedback: null })
})

test('an agent speaks for itself where no model call does', async () => {
  const { traceId } = newSpanIds()
  const logged = span(
    'invoke_agent logger',
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.input.messages': messages('user', 'hello'),
      'gen_ai.output.messages': messages('assistant', 'hi'),
    },
    { second: 0, traceId },
  )
  const project_id = 'acme/agents-logged'
  await sendSpans(project_id, [logged])
  const trace = await server.post('/agents/traces/chat', { project_id, trace_id: traceId })
  expect(types(trace)).toEqual(['agent_start', 'user_message', 'assistant_message'])
})

test('a cycle of parents is shown once', async () => {
  const { traceId } = newSpanIds()
  const tool = (id: string, parentSpanId: string): Span =>
    span(
      'tool',
      { 'gen_ai.operation.name': 'execute_tool' },
      { second: 0, traceId, spanId: id, parentSpanId },
    )
  const [one, two] = ['1111111111111111', '2222222222222222']
  const project_id = 'acme/agents-cycle'
  await sendSpans(project_id, [tool(one, two), tool(two, one)])
  const trace = await server.post('/agents/traces/chat', { project_id, trace_id: traceId })
  expect(types(trace)).toEqual(['tool_call', 'tool_call'])
})

test.each([
  ['/agents/traces/chat', { trace_id: 'x', include_model_tool_calls: true }, 'where their own spans are'],
  ['/agents/conversations/chat', { conversation_id: 'x', limit: 51 }, 'limit'],
])('%s refuses %j', async (path, body, reason) => {
  const { status, text } = await server.send(path, { project_id: PROJECT, ...body })
  expect([status, text]).toEqual([422, expect.stringContaining(reason)])
})
