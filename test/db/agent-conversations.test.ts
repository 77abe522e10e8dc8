import { beforeAll, expect, test } from 'vitest'
import type { Span } from '../../src/otlp/model.ts'
import { useServer } from '../harness.ts'
import { span, turn } from '../otlp/conversation-spans.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { newSpanIds } from '../otlp/make-span.ts'

/** The spans of conversations in short, with the feedback on them. */

const server = useServer()
const PROJECT = 'acme/conversations'

type Json = Record<string, unknown>

const first = turn(0, '1')
const second = turn(60, '2', { statusCode: 2, statusMessage: 'no weather' })

const logged = (second: number, id: string): Span => {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': id }
  return span('chat', attributes, { second, traceId: newSpanIds().traceId })
}

async function conversations(ids: readonly string[], body: Json = {}): Promise<Json[]> {
  const request = { project_id: PROJECT, conversation_ids: ids, ...body }
  const { conversations: found } = await server.post<Json>('/agents/conversations/spans', request)
  return found as Json[]
}

beforeAll(async () => {
  const headers = { 'content-type': 'application/x-protobuf', project_id: PROJECT }
  const long = Array.from({ length: 201 }, (_, i) => logged(i, 'long'))
  const spans = [...first.all, ...second.all, logged(0, 'a/b c'), ...long]
  // Twice, as after a lost response.
  for (let i = 0; i < 2; i++) {
    const { status } = await server.send('/agents/otel/v1/traces', encodeTraces(spans, 'protobuf'), {
      headers,
    })
    if (status !== 200) throw new Error(`the spans were refused with ${status}`)
  }
})

test('conversations have their spans in time order, in the order of the request', async () => {
  const [unknown, known, again] = await conversations(['unknown', 'conv-1', 'conv-1'])
  expect(unknown).toEqual({ conversation_id: 'unknown', spans: [], spans_feedback: [] })
  expect(again).toEqual(known)
  const all = [first, second].flatMap(({ root, chat, tool, helper, inner }) => [
    [root, 'invoke_agent', 10_000],
    [chat, 'chat', 1000],
    [tool, 'execute_tool', 1000],
    [helper, 'invoke_agent', 2000],
    [inner, 'chat', 1000],
  ]) as [Span, string, number][]
  expect(known).toEqual({
    conversation_id: 'conv-1',
    spans: all.map(([{ traceId, spanId }, operation_name, duration_ms]) => ({
      operation_name,
      trace_id: traceId,
      span_id: spanId,
      status: spanId === second.root.spanId ? 'ERROR' : 'UNSET',
      duration_ms,
    })),
    spans_feedback: [],
  })
})

test('only spans of the period are listed, and the latest of a long conversation', async () => {
  const period = { started_after: '2026-04-01T00:00:03Z', started_before: '2026-04-01T00:01:00Z' }
  const [known] = await conversations(['conv-1'], period)
  expect(known).toMatchObject({ spans: [{ span_id: first.helper.spanId }, { span_id: first.inner.spanId }] })
  const [long] = await conversations(['long'])
  expect(long?.['spans']).toHaveLength(200)
})

test('nothing is selected by no id, and by the empty one', async () => {
  expect(await conversations([])).toEqual([])
  expect(await conversations([''])).toEqual([{ conversation_id: '', spans: [], spans_feedback: [] }])
})

test('feedback is on the conversation or on a turn', async () => {
  const create = async (item: string, feedback_type: string, fields: Json): Promise<unknown> =>
    server.post('/feedback/create', {
      project_id: PROJECT,
      weave_ref: `weave:///${PROJECT}/${item}`,
      feedback_type,
      payload: {},
      ...fields,
    })
  await create(`agent_turn/${first.root.traceId}`, 'wandb.agent_user_feedback', { scorer_tags: ['👍🏽'] })
  await create('agent_conversation/a%2Fb%20c', 'wandb.agent_monitor', {
    scorer_tags: ['helpful'],
    scorer_ratings: { quality: 0.8, tone: 1 },
    scorer_rating_reasons: { quality: 'clear' },
    scorer_rating_confidences: { quality: 0.5 },
  })
  await create(`agent_turn/${first.root.traceId}`, 'other', {})
  await create(`agent_span/${first.chat.spanId}`, 'wandb.agent_user_feedback', { scorer_tags: ['no'] })
  await create('agent_turn/unknown', 'wandb.agent_user_feedback', { scorer_tags: ['no'] })
  expect(await conversations(['conv-1', 'a/b c'])).toMatchObject([
    {
      spans_feedback: [
        {
          trace_id: first.root.traceId,
          feedback_type: 'wandb.agent_user_feedback',
          tags: ['👍'],
          ratings: [],
        },
      ],
    },
    {
      spans_feedback: [
        {
          trace_id: null,
          feedback_type: 'wandb.agent_monitor',
          tags: ['helpful'],
          ratings: [
            { name: 'quality', value: 0.8, reason: 'clear', confidence: 0.5 },
            { name: 'tone', value: 1, reason: null, confidence: null },
          ],
        },
      ],
    },
  ])
})
