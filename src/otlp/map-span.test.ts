import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIALECTS } from './dialects/dialects.ts'
import { readDump } from './dump.ts'
import { explainSpan, mapSpan } from './map-span.ts'
import type { AttributeValue, Span } from './model.ts'
import {
  CALL_ID,
  double,
  PARENT_ID,
  parsedCall,
  SPAN_ID,
  testSpan,
  TRACE_ID,
} from '../../test/otlp/span-fixture.ts'

describe('the call of a span', () => {
  test('has ids that are unique beyond the trace, and times to the microsecond', () => {
    const { call } = mapSpan(testSpan({ parentSpanId: PARENT_ID }))
    expect(call).toMatchObject({
      id: CALL_ID,
      trace_id: TRACE_ID,
      parent_id: `8448eb211c80319c${PARENT_ID}`,
      started_at: 1_763_164_800_000_000n,
      end: { ended_at: 1_763_164_801_500_000n },
    })
    const other = mapSpan(testSpan({ traceId: '0af7651916cd43dd8448eb211c80319d' })).call
    expect(other.id).not.toBe(call.id)
  })

  test.each(['', '0000000000000000', TRACE_ID, SPAN_ID])('with the parent %j is a root', (parentSpanId) => {
    expect(mapSpan(testSpan({ parentSpanId })).call.parent_id).toBe('')
  })

  test('is running if the span has no end', () => {
    expect(mapSpan(testSpan({ endNanos: 0n, statusCode: 2 })).call.end).toBeUndefined()
  })

  test('ends no earlier than it starts', () => {
    const { call } = mapSpan(
      testSpan({ startNanos: 1_763_164_801_000_000_000n, endNanos: 1_763_164_800_000_000_000n }),
    )
    expect(call.end?.ended_at).toBe(call.started_at)
  })

  test('times out of range are the nearest ones in range', () => {
    const { call } = mapSpan(testSpan({ startNanos: 0n, endNanos: 2n ** 64n - 1n }))
    expect(call.started_at).toBe(10_413_791_999_999_999n)
    expect(call.end?.ended_at).toBe(10_413_791_999_999_999n)
  })

  test('an explicit turn wins over the place in the trace', () => {
    const turn = (attributes: Record<string, string | boolean>, parentSpanId: string) =>
      mapSpan(testSpan({ attributes: { 'wandb.thread_id': 't', ...attributes }, parentSpanId })).call.turn_id
    expect(turn({}, '')).toBe(CALL_ID)
    expect(turn({}, PARENT_ID)).toBe('')
    expect(turn({ 'wandb.is_turn': true }, PARENT_ID)).toBe(CALL_ID)
    expect(turn({ 'wandb.is_turn': false }, '')).toBe('')
  })

  test('a span of another library inside a call of Weave is part of that call, and its tokens count once', () => {
    const attributes = {
      'weave.parent_call.id': 'call-1',
      'weave.parent_call.trace_id': 'trace-1',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'claude',
      'gen_ai.usage.input_tokens': 39,
    }
    const of = (scope: string, parentSpanId = '') => mapSpan(testSpan({ attributes, parentSpanId, scope }))
    expect(of('anthropic').call).toMatchObject({ trace_id: 'trace-1', parent_id: 'call-1', turn_id: '' })
    expect(parsedCall(of('anthropic')).summary).not.toHaveProperty('usage')
    expect(parsedCall(of('anthropic')).attributes).toHaveProperty('usage_reported')
    expect(of('anthropic', PARENT_ID).call).toMatchObject({
      trace_id: 'trace-1',
      parent_id: `8448eb211c80319c${PARENT_ID}`,
    })
    // A conversation is a trace of its own.
    expect(of('weave.conversation').call).toMatchObject({ trace_id: TRACE_ID, parent_id: '' })
    expect(parsedCall(of('weave.conversation')).summary).toHaveProperty('usage')
  })

  test.each([
    ['Crew_0860ced3-95c6-4c2f-9f3c-7a2d5f1c0b11.kickoff', 'Crew.kickoff'],
    ['autogen create Manager_82c53e07-95c6-4c2f-9f3c-7a2d5f1c0b11', 'autogen create Manager'],
    ['0860ced3-95c6-4c2f-9f3c-7a2d5f1c0b11', 'span'],
    ['GET /users/0860ced3-95c6-4c2f-9f3c-7a2d5f1c0b11/tasks', 'GET /users/{id}/tasks'],
    ['step_3', 'step_3'],
  ])('the op name of %s has no ids', (name, op_name) => {
    expect(mapSpan(testSpan({ name })).call.op_name).toBe(op_name)
  })

  test('long names keep their start and stay different', () => {
    const name = (end: string) => mapSpan(testSpan({ name: 'x'.repeat(5000) + end })).call
    expect(name('a').op_name).toHaveLength(128)
    expect(name('a').op_name).not.toBe(name('b').op_name)
    expect(mapSpan(testSpan({ name: '' })).call.op_name).toBe('span')
  })

  test('has the environment and the run of the resource', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({ resource: { 'deployment.environment.name': 'staging', 'wandb.wb_run_id': 'run-1' } }),
      ),
    )
    expect(call).toMatchObject({ wb_run_id: 'run-1', attributes: { environment: 'staging' } })
  })

  test('has links to the calls of other traces', () => {
    const links = [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceState: '', attributes: new Map() }]
    const call = parsedCall(mapSpan(testSpan({ links, droppedAttributes: 3 })))
    expect(call.attributes).toMatchObject({
      otel: { links: [{ call_id: '1'.repeat(16) + '2'.repeat(16) }], dropped: { attributes: 3 } },
    })
  })

  test('the dump reads back as the span, and maps to the same call', () => {
    const span = testSpan({
      attributes: { 'gen_ai.operation.name': 'chat', n: double(1) },
      events: [{ name: 'x' }],
    })
    const { call } = mapSpan(span)
    const again = mapSpan(readDump(call.otel_dump.text)!).call
    expect(again.attributes.text).toBe(call.attributes.text)
    expect(again.otel_dump.text).toBe(call.otel_dump.text)
  })
})

describe('the exception of a call', () => {
  const event = (type: string, message: string, stacktrace: string) => ({
    name: 'exception',
    attributes: { 'exception.type': type, 'exception.message': message, 'exception.stacktrace': stacktrace },
  })
  const exception = (parts: Parameters<typeof testSpan>[0]) => mapSpan(testSpan(parts)).call.end?.exception

  test('is the last recorded one, with its stack', () => {
    expect(
      exception({
        statusCode: 2,
        statusMessage: 'ValueError: no',
        events: [
          event('KeyError', 'x', ''),
          event('ValueError', 'no', 'Traceback (most recent call last):\n  …'),
        ],
      }),
    ).toBe('ValueError: no\nTraceback (most recent call last):\n  …')
  })

  test('does not repeat what the stack begins with', () => {
    const stack = 'TypeError: no\n    at f (a.js:1:2)'
    expect(exception({ statusCode: 2, events: [event('TypeError', 'no', stack)] })).toBe(stack)
  })

  test('is the status if none was recorded', () => {
    expect(exception({ statusCode: 2, statusMessage: 'timeout' })).toBe('timeout')
    expect(exception({ statusCode: 2, attributes: { 'error.type': '429' } })).toBe('429')
    expect(exception({ statusCode: 2 })).toBe('error')
  })

  test('is null if the span handled it, and the event is kept', () => {
    const handled = testSpan({ statusCode: 1, events: [event('KeyError', 'x', '')] })
    expect(mapSpan(handled).call.end?.exception).toBeNull()
    expect(parsedCall(mapSpan(handled)).attributes).toMatchObject({
      otel: { events: [{ name: 'exception' }] },
    })
  })
})

test('explain names the rule of each field', () => {
  const sources = explainSpan(
    testSpan({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.input_messages.0.message.content': 'Hi',
        'gen_ai.usage.input_tokens': 3,
        'llm.token_count.prompt': 3,
      },
      events: [{ name: 'exception', attributes: { 'exception.message': 'x' } }],
    }),
  )
  expect(sources).toEqual([
    {
      field: 'attributes.kind',
      dialect: 'openinference',
      dialect_title: 'OpenInference',
      from: ['openinference.span.kind'],
    },
    {
      field: 'attributes.model',
      dialect: 'openinference',
      dialect_title: 'OpenInference',
      from: ['llm.model_name'],
    },
    { field: 'exception', dialect: 'generic', dialect_title: 'Other spans', from: ['event exception'] },
    {
      field: 'inputs.messages',
      dialect: 'openinference',
      dialect_title: 'OpenInference',
      from: ['llm.input_messages.*'],
    },
    {
      field: 'summary.usage.prompt_tokens',
      dialect: 'genai',
      dialect_title: 'OpenTelemetry GenAI',
      from: ['gen_ai.usage.input_tokens'],
    },
  ])
})

describe('any span', () => {
  const keys = DIALECTS.flatMap(({ rules }) =>
    rules.flatMap((rule) =>
      'from' in rule
        ? rule.from
        : 'under' in rule
          ? [0, 1, 'x'].map((i) => `${rule.under}${i}.message.content`)
          : [],
    ),
  )
  const events = DIALECTS.flatMap(({ rules }) =>
    rules.flatMap((rule) => ('events' in rule ? rule.events : [])),
  )
  const jsonText = fc.oneof(
    fc.json(),
    fc.json().map((text) => text.slice(0, -1)),
    fc.constantFrom(
      '[{}]',
      '[{"role":1}]',
      '[[{"parts":[null,{"type":"blob"}]}]]',
      '{"messages":{"a":1}}',
      '[NaN]',
    ),
  )
  const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.string({ unit: 'binary' }),
      jsonText,
      fc.boolean(),
      fc.bigInt(),
      fc.double(),
      fc.uint8Array({ maxLength: 4 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(
          fc.tuple(
            fc.oneof(
              fc.constantFrom('role', 'parts', 'content', 'type', 'tool_calls', '__proto__'),
              fc.string(),
            ),
            tie('value'),
          ),
          { maxLength: 4 },
        )
        .map((members) => new Map(members)),
    ),
  }))
  const attributes = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...keys), fc.string()), value), { maxLength: 12 })
    .map((members) => new Map(members))
  const spans: fc.Arbitrary<Span> = fc
    .record({
      attributes,
      name: fc.oneof(fc.string(), fc.constantFrom('claude_code.tool', 'claude_code.llm_request')),
      scope: fc.constantFrom('pydantic-ai', 'ai', 'x'),
      events: fc.array(fc.record({ name: fc.oneof(fc.constantFrom(...events), fc.string()), attributes }), {
        maxLength: 3,
      }),
      statusCode: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ attributes: given, events: list, scope, ...rest }) => ({
      ...testSpan({ scope, ...rest }),
      attributes: given,
      events: list.map((event) => ({ ...event, timeNanos: 0n, droppedAttributes: 0 })),
    }))

  test('maps to a call whose documents are JSON', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(spans, (span) => {
        const { call, feedback } = mapSpan(span)
        const documents = [call.attributes, call.inputs, call.otel_dump, call.end!.output, call.end!.summary]
        for (const { text } of [...documents, ...feedback.map(({ payload }) => payload)]) JSON.parse(text)
        for (const document of [call.attributes, call.inputs, call.end!.summary])
          expect(document.isObject).toBe(true)
        expect(call.op_name).not.toBe('')
        expect(call.attributes.text.startsWith('{"kind":"')).toBe(true)
        explainSpan(span)
      }),
      { numRuns: 500 },
    )
  })

  test('with a value of 10,000 levels does no harm', () => {
    let deep: AttributeValue = 'x'
    for (let i = 0; i < 10_000; i++) deep = i % 2 === 0 ? [deep] : new Map([['a', deep]])
    const text = '['.repeat(10_000) + ']'.repeat(10_000)
    const span = {
      ...testSpan(),
      attributes: new Map([
        ['a', deep],
        ['gen_ai.input.messages', text],
        ['input.value', deep],
      ]),
    }
    const { call } = mapSpan(span)
    JSON.parse(call.attributes.text)
    JSON.parse(call.otel_dump.text)
  })
})
