import { beforeAll, expect, test } from 'vitest'
import { useServer } from '../harness.ts'
import { messages, span, turn } from '../otlp/conversation-spans.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { newSpanIds } from '../otlp/make-span.ts'

/** Search in the messages of spans. */

const server = useServer()
const PROJECT = 'acme/agent-search'

type Json = Record<string, unknown>

const first = turn(0, '1')
const second = turn(60, '2')
const long = `${'x'.repeat(499)}😀 Größe`
const alone = span(
  'chat',
  {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'mini',
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'be brief' }]),
    'gen_ai.input.messages': messages('user', long),
    'gen_ai.output.messages': messages('critic', 'the rain in Spain'),
  },
  { second: 120, traceId: newSpanIds().traceId },
)

async function search(body: Json): Promise<Json[]> {
  const found = await server.post<Json>('/agents/search', { project_id: PROJECT, ...body })
  const results = found['results'] as Json[]
  expect(found['total_conversations']).toBe(results.length)
  return results
}

/** Role and text of all found messages. */
async function found(body: Json): Promise<unknown[]> {
  const results = await search(body)
  return results
    .flatMap((result) => result['matched_messages'] as Json[])
    .map((message) => [message['role'], message['content_preview']])
}

async function send(spans: Parameters<typeof encodeTraces>[0]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id: PROJECT }
  const { status } = await server.send('/agents/otel/v1/traces', encodeTraces(spans, 'protobuf'), { headers })
  if (status !== 200) throw new Error(`the spans were refused with ${status}`)
}

beforeAll(async () => {
  // Twice, as after a lost response.
  for (let i = 0; i < 2; i++) await send([...first.all, ...second.all, alone])
  // No span: a call of the SDK.
  await server.post('/call/start', {
    start: { project_id: PROJECT, op_name: 'op', attributes: {}, inputs: { messages: 'rain' } },
  })
})

test('messages with the text are found by conversation, the latest first', async () => {
  const message = { role: 'assistant', content_preview: 'Rain tomorrow.' }
  const of = ({ tool, chat }: typeof first): Json[] => [
    { role: 'tool_call', content_preview: '{"q":"rain"}', span_id: tool.spanId, trace_id: tool.traceId },
    { ...message, span_id: chat.spanId, trace_id: chat.traceId },
  ]
  expect(await search({ query: 'RAIN' })).toMatchObject([
    {
      conversation_id: '__NO_CONVERSATION__',
      conversation_name: '',
      agent_name: '',
      matched_messages: [{ role: 'critic', content_preview: 'the rain in Spain' }],
      last_activity: '2026-04-01T00:02:00.000000Z',
    },
    {
      conversation_id: 'conv-1',
      conversation_name: 'Weather',
      agent_name: 'bot',
      matched_messages: [...of(second), ...of(first)],
      last_activity: '2026-04-01T00:01:02.000000Z',
    },
  ])
  expect(await search({ query: 'snow' })).toEqual([])
  // Of the documents, but of no message.
  expect(await search({ query: 'parts' })).toEqual([])
})

test('equal texts have equal digests', async () => {
  const [result] = await search({ query: 'Rain tomorrow' })
  const list = result?.['matched_messages'] as Json[]
  expect(list).toHaveLength(2)
  expect(new Set(list.map(({ content_digest }) => content_digest))).toEqual(
    new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]),
  )
})

test('long messages are cut between characters, unless they are requested whole', async () => {
  expect(await found({ query: 'größe' })).toEqual([['user', 'x'.repeat(499)]])
  expect(await found({ query: 'größe', truncate_content: false })).toEqual([['user', long]])
})

test('without a text, all messages are listed, and paged', async () => {
  expect(await found({ trace_id: alone.traceId })).toEqual([
    ['system', expect.stringContaining('be brief')],
    ['user', 'x'.repeat(499)],
    ['critic', 'the rain in Spain'],
  ])
  const all = await found({ limit: 1000 })
  expect(all).toHaveLength(15)
  expect(await found({})).toEqual(all)
  expect(await found({ limit: 4, offset: 5 })).toEqual(all.slice(5, 9))
  expect(await found({ limit: 0 })).toEqual([])
  expect(await found({ offset: 15 })).toEqual([])
})

test('messages are selected by role', async () => {
  const request = { trace_id: first.root.traceId }
  expect(await found({ ...request, roles: ['tool'] })).toEqual([
    ['tool_call', '{"q":"rain"}'],
    ['tool_result', '{"found":1}'],
  ])
  expect(await found({ ...request, roles: ['tool_result', 'system'] })).toEqual([
    ['tool_result', '{"found":1}'],
  ])
  expect(await found({ ...request, roles: [''] })).toEqual([])
})

test('messages are selected by agent, model, provider, conversation and time', async () => {
  const assistant = { roles: ['assistant'], trace_id: first.root.traceId }
  // The span of the model names no agent, but the trace does.
  expect(await found({ ...assistant, agent_name: 'bot' })).toEqual([['assistant', 'Rain tomorrow.']])
  expect(await found({ ...assistant, agent_name: 'helper' })).toEqual([['assistant', 'from the helper']])
  expect(await found({ agent_name: 'nobody' })).toEqual([])
  expect(await found({ ...assistant, request_model: 'mini' })).toEqual([['assistant', 'from the helper']])
  expect(await found({ ...assistant, provider_name: 'openai' })).toEqual([['assistant', 'Rain tomorrow.']])
  expect(await found({ query: 'Spain', conversation_id: 'conv-1' })).toEqual([])
  expect(await found({ query: 'tomorrow', conversation_id: 'conv-1', agent_name: '' })).toHaveLength(2)
  const period = { started_after: '2026-04-01T00:01:01Z', started_before: '2026-04-01T00:01:02Z' }
  expect(await found({ ...period, roles: ['user'] })).toEqual([['user', 'weather?']])
})

test('all pages of spans are searched', async () => {
  const { traceId } = newSpanIds()
  const many = Array.from({ length: 250 }, (_, i) =>
    span(
      'chat',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages': messages('assistant', `message ${i}`),
        'gen_ai.conversation.id': 'many',
      },
      { second: 1000 + Math.trunc(i / 3), traceId },
    ),
  )
  await send(many)
  const all = await found({ conversation_id: 'many', limit: 1000 })
  expect(new Set(all.map(String))).toEqual(new Set(many.map((_, i) => `assistant,message ${i}`)))
  expect(all).toHaveLength(250)
  expect(await found({ query: 'message 7', roles: ['assistant'] })).toHaveLength(11)
})

test.each([
  [{ query: 'x'.repeat(257) }, 'query'],
  [{ roles: ['model'] }, 'must be'],
  [{ limit: 1001 }, 'limit'],
  [{ offset: 10_001 }, 'offset'],
])('%j is refused', async (body, reason) => {
  const { status, text } = await server.send('/agents/search', { project_id: PROJECT, ...body })
  expect([status, text]).toEqual([422, expect.stringContaining(reason)])
})
