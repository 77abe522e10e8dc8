import assert from 'node:assert/strict'

/** Spans as OpenLLMetry and a JavaScript service send them, in OTLP/JSON. */

export const OTEL = 'admin/otel'

const LINKED_TRACE = '6f0a8d3c5b7e49129c1d2e3f4a5b6c7d'
const TRACE = 'cf1f9a38b1a2f8ab6259219724bda59c'

/** The call id of a span of the trace. */
function callId(traceId: string, spanId: string): string {
  return traceId.slice(-16) + spanId
}

const WORKFLOW = 'e061388f6259751b'
const FIRST_CHAT = '3d7b79e4cf69d871'
const TOOL = '50322b3da86ce149'
const SECOND_CHAT = '90715f7dfb227b4b'
const FAILED_CHAT = 'ed505f22c26a39b7'
const GUARDRAIL = '77aa01b2c3d4e5f6'
const REQUEST = 'a1b2c3d4e5f60718'

export const OTEL_CALLS = {
  workflow: callId(TRACE, WORKFLOW),
  tool: callId(TRACE, TOOL),
  reply: callId(TRACE, SECOND_CHAT),
  failed: callId(TRACE, FAILED_CHAT),
  request: callId(LINKED_TRACE, REQUEST),
} as const

const SYSTEM = { role: 'system', parts: [{ type: 'text', content: 'You know the weather.' }] }
const QUESTION = { role: 'user', parts: [{ type: 'text', content: 'How warm is it in Zürich?' }] }
const TOOL_CALL = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Zürich' } }],
}
const TOOL_RESPONSE = {
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: 'call_1', response: '{"city": "Zürich", "celsius": 21.5}' }],
}
const REPLY = { role: 'assistant', parts: [{ type: 'text', content: 'It is 21.5 °C in Zürich.' }] }

const STACK_TRACE = `Traceback (most recent call last):
  File "/app/.venv/lib/python3.12/site-packages/openai/_base_client.py", line 1474, in post
    return cast(ResponseT, self.request(cast_to, opts, stream=stream, stream_cls=stream_cls))
                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/app/chat.py", line 41, in answer
    raise self._make_status_error_from_response(err.response) from None
openai.NotFoundError: Error code: 404 - The model \`no-such-model\` does not exist
`

type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

function keyValues(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: Attributes[string]): unknown {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(anyValue) } }
}

const ASSOCIATED = {
  'traceloop.workflow.name': 'weather_workflow',
  'traceloop.association.properties.session_id': 's1',
  'traceloop.association.properties.user_id': 'u1',
}

function chat(model: string, input: readonly unknown[], output: unknown): Attributes {
  return {
    ...ASSOCIATED,
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.input.messages': JSON.stringify(input),
    ...(output === undefined
      ? {}
      : {
          'gen_ai.output.messages': JSON.stringify([output]),
          'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 100,
          'gen_ai.usage.output_tokens': 20,
          'gen_ai.usage.cache_read.input_tokens': 40,
        }),
  }
}

/** Sends two traces: a workflow with model calls, a tool, a guardrail and an error; and the request that it links to. */
export async function sendSpans(url: string, key: string): Promise<void> {
  const startMs = Date.now() - 60_000
  const nanos = (offsetMs: number): string => `${startMs + offsetMs}000000`
  const span = (spanId: string, name: string, fromMs: number, toMs: number, attributes: Attributes) => ({
    traceId: TRACE,
    spanId,
    ...(spanId === WORKFLOW ? {} : { parentSpanId: WORKFLOW }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(fromMs),
    endTimeUnixNano: nanos(toMs),
    attributes: keyValues(attributes),
  })
  const entity = (kind: string, name: string, input: unknown, output: unknown): Attributes => ({
    ...ASSOCIATED,
    'traceloop.span.kind': kind,
    'traceloop.entity.name': name,
    'traceloop.entity.input': JSON.stringify(input),
    'traceloop.entity.output': JSON.stringify(output),
  })
  const spans = [
    {
      ...span(
        WORKFLOW,
        'weather_workflow.workflow',
        0,
        2280,
        entity('workflow', 'weather_workflow', { args: ['How warm is it?'] }, 'It is 21.5 °C in Zürich.'),
      ),
      links: [
        {
          traceId: LINKED_TRACE,
          spanId: REQUEST,
          attributes: keyValues({ 'messaging.operation.name': 'process' }),
        },
      ],
    },
    span(FIRST_CHAT, 'openai.chat', 150, 620, chat('gpt-4o-mini', [SYSTEM, QUESTION], TOOL_CALL)),
    {
      ...span(TOOL, 'get_weather.tool', 640, 900, {
        ...entity('tool', 'get_weather', { kwargs: { city: 'Zürich' } }, { city: 'Zürich', celsius: 21.5 }),
        'gen_ai.tool.name': 'get_weather',
      }),
      events: [
        { name: 'cache.miss', timeUnixNano: nanos(652) },
        {
          name: 'http.retry',
          timeUnixNano: nanos(770),
          attributes: keyValues({ 'http.response.status_code': 503, 'retry.attempt': 1 }),
        },
      ],
    },
    span(
      SECOND_CHAT,
      'openai.chat',
      910,
      1400,
      chat('gpt-4o-mini', [SYSTEM, QUESTION, TOOL_CALL, TOOL_RESPONSE], REPLY),
    ),
    {
      ...span(FAILED_CHAT, 'openai.chat', 1420, 1900, {
        ...chat('no-such-model', [SYSTEM, QUESTION], undefined),
        'error.type': 'NotFoundError',
      }),
      events: [
        {
          name: 'exception',
          timeUnixNano: nanos(1899),
          attributes: keyValues({
            'exception.type': 'openai.NotFoundError',
            'exception.message': 'Error code: 404 - The model `no-such-model` does not exist',
            'exception.stacktrace': STACK_TRACE,
          }),
        },
      ],
      status: { code: 2, message: 'Error code: 404' },
    },
    span(GUARDRAIL, 'check_tone', 1910, 2200, {
      'openinference.span.kind': 'GUARDRAIL',
      'input.value': 'It is 21.5 °C in Zürich.',
      'output.value': 'passed',
    }),
    {
      ...span(REQUEST, 'POST /ask', -200, 2300, { 'http.request.method': 'POST', 'url.path': '/ask' }),
      traceId: LINKED_TRACE,
      parentSpanId: undefined,
      kind: 2,
    },
  ]
  const response = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', project_id: OTEL },
    body: JSON.stringify({
      resourceSpans: [
        {
          resource: {
            attributes: keyValues({ 'service.name': 'weather', 'telemetry.sdk.language': 'python' }),
          },
          scopeSpans: [
            { scope: { name: 'opentelemetry.instrumentation.openai.v1', version: '0.62.4' }, spans },
          ],
        },
      ],
    }),
  })
  assert.deepEqual([response.status, await response.json()], [200, {}])
}
