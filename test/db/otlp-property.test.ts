import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttributeValue, LogRecord, Span } from '../../src/otlp/model.ts'
import { parseJsonLines, useServer } from '../harness.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/**
 * Property test: any split, order and duplication of the export requests of a trace, and of its log records, results in
 * the same calls. `HEDDLE_PROPERTY_RUNS=1000` runs more.
 */
const server = useServer()
const RUNS = Math.ceil(Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 300) / 10)
const SEED = Number(process.env['HEDDLE_PROPERTY_SEED'] ?? 20_261_116)

/** What exporters send of one trace. */
type Item = { readonly span: Span } | { readonly record: LogRecord }

const START = 1_790_000_000_000_000_000n
const RESOURCE = { attributes: new Map([['service.name', 'bot']]), schemaUrl: '' }
const id = (n: number): string => n.toString(16).padStart(16, '0')

/** A span and its records: it may be announced before its end, and have its content in log records. */
const someSpan = fc.record({
  parent: fc.nat(6),
  kind: fc.constantFrom('chat', 'tool', 'plain'),
  isAnnounced: fc.constantFrom('no', 'pending', 'running'),
  isFailed: fc.boolean(),
  contents: fc.nat(4),
  milliseconds: fc.nat(5_000),
})

const someTrace = fc.array(someSpan, { minLength: 2, maxLength: 7 }).map((spans) =>
  spans.flatMap(({ parent, kind, isAnnounced, isFailed, contents, milliseconds }, n): Item[] => {
    const ids = {
      traceId: `${id(7)}${id(9)}`,
      spanId: id(n + 1),
      parentSpanId: n === 0 ? '' : id((parent % n) + 1),
    }
    const startNanos = START + BigInt(n) * 1_000_000n
    const endNanos = startNanos + BigInt(milliseconds) * 1_000_000n + 1n
    const span = makeSpan({
      ...ids,
      resource: RESOURCE,
      name: `${kind} ${n}`,
      startNanos,
      endNanos,
      attributes: attributesOf(kind),
      statusCode: isFailed ? 2 : 0,
      statusMessage: isFailed ? 'failed' : '',
    })
    const records = Array.from({ length: kind === 'chat' ? contents : 0 }, (_, i) => ({
      record: contentRecord(span, i),
    }))
    return [{ span }, ...announcements(span, isAnnounced), ...records]
  }),
)

function attributesOf(kind: string): Map<string, AttributeValue> {
  if (kind === 'plain') return new Map<string, AttributeValue>([['n', 1.0]])
  if (kind === 'tool') return new Map([['gen_ai.operation.name', 'execute_tool']])
  return new Map<string, AttributeValue>([
    ['gen_ai.operation.name', 'chat'],
    ['gen_ai.request.model', 'gpt-4o-mini'],
    ['gen_ai.usage.input_tokens', 10n],
  ])
}

function announcements(span: Span, isAnnounced: string): Item[] {
  if (isAnnounced === 'running') return [{ span: { ...span, endNanos: 0n, attributes: new Map() } }]
  if (isAnnounced !== 'pending') return []
  const attributes = new Map([
    ['logfire.span_type', 'pending_span'],
    ['logfire.pending_parent_id', span.parentSpanId === '' ? '0'.repeat(16) : span.parentSpanId],
  ])
  const spanId = `f${span.spanId.slice(1)}`
  return [{ span: { ...span, spanId, parentSpanId: span.spanId, endNanos: span.startNanos, attributes } }]
}

function contentRecord(span: Span, n: number): LogRecord {
  return {
    resource: span.resource,
    scope: span.scope,
    traceId: span.traceId,
    spanId: span.spanId,
    eventName: n === 3 ? 'gen_ai.choice' : 'gen_ai.user.message',
    timeNanos: span.startNanos + BigInt(n),
    body: new Map<string, AttributeValue>([['content', `message ${n}`]]),
    attributes: new Map(),
  }
}

/** Requests of one to four items each; items may be in several. */
const somePlan = (items: readonly Item[]) =>
  fc
    .tuple(fc.shuffledSubarray([...items], { minLength: items.length }), fc.subarray([...items]))
    .chain(([order, again]) =>
      fc.shuffledSubarray([...order, ...again], { minLength: order.length + again.length }),
    )
    .chain((sent) =>
      fc.tuple(fc.constant(sent), fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 40, maxLength: 40 })),
    )

async function send(project_id: string, items: readonly Item[], isJson: boolean): Promise<void> {
  const encoding = isJson ? 'json' : 'protobuf'
  const headers = { 'content-type': isJson ? 'application/json' : 'application/x-protobuf', project_id }
  const post = async (path: string, body: Buffer): Promise<void> => {
    const { status, text } = await server.send(path, body, { headers })
    expect([status, text.replace('{}', '')]).toEqual([200, ''])
  }
  const spans = items.flatMap((item) => ('span' in item ? [item.span] : []))
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []))
  if (spans.length > 0) await post('/v1/traces', encodeTraces(spans, encoding))
  if (records.length > 0) await post('/v1/logs', encodeLogs(records, encoding))
}

async function read(project_id: string): Promise<unknown[]> {
  const { text } = await server.send('/calls/stream_query', {
    project_id,
    sort_by: [{ field: 'started_at', direction: 'asc' }],
  })
  return parseJsonLines<Record<string, unknown>>(text).map((call) => ({ ...call, project_id: '' }))
}

test(
  `any split, order and duplication of requests yields the same calls, for ${RUNS} traces`,
  { timeout: 3_600_000 },
  async () => {
    let n = 0
    await fc.assert(
      fc.asyncProperty(
        someTrace.chain((items) => fc.tuple(fc.constant(items), somePlan(items), fc.boolean())),
        async ([items, [sent, sizes], isJson]) => {
          n++
          await send(`acme/whole-${n}`, items, false)
          for (let at = 0, i = 0; at < sent.length; i++) {
            const size = sizes[i] ?? 4
            await send(`acme/split-${n}`, sent.slice(at, at + size), isJson)
            at += size
          }
          const whole = await read(`acme/whole-${n}`)
          expect(whole.length).toBe(
            new Set(items.flatMap((item) => ('span' in item ? [item.span.startNanos] : []))).size,
          )
          expect(await read(`acme/split-${n}`)).toEqual(whole)
        },
      ),
      { numRuns: RUNS, seed: SEED },
    )
  },
)
