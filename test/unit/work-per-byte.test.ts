import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { encodeContent, joinContents, sortedContents } from '../../src/core/calls/call-contents.ts'
import { RecordClock } from '../../src/core/calls/record-clock.ts'
import { searchPreview } from '../../src/core/calls/search-preview.ts'
import { viewCall } from '../../src/core/calls/call-view.ts'
import { payloadPaths } from '../../src/core/feedback/payload-schema.ts'
import { ChunkedList } from '../../src/core/objects/chunked-list.ts'
import { valueDigest } from '../../src/core/objects/digest.ts'
import { readObjectClass } from '../../src/core/objects/object-class.ts'
import { RequestParser } from '../../src/http/request-parser.ts'
import { mapLog } from '../../src/otlp/map-log.ts'
import { mapSpan } from '../../src/otlp/map-span.ts'
import type { AttributeValue, LogRecord, Span, SpanEvent } from '../../src/otlp/model.ts'
import { decodeLogs, decodeTraces } from '../../src/otlp/wire/decode.ts'
import { encodeCall } from '../../src/service/otlp/spans.ts'
import { ColumnExtractor } from '../../src/store/calls/columns/column-extractor.ts'
import { RecordEncoder } from '../../src/store/calls/write/record-encoder.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/**
 * What a sender can make the server compute is bounded by what it sends: a megabyte of any shape takes at most
 * `MAX_RATIO` times as long as a megabyte of ordinary data. A quadratic step fails by far.
 */

const MAX_RATIO = 20
/** Enough for a quadratic step to show. */
const BYTES = 100_000
/** The best of several runs. */
const MAX_RUNS = 3

/** CPU time of this thread in nanoseconds, which other work on the machine changes little; wall time where there is none. */
function cpuNanos(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0])
  } catch {
    return performance.now() * 1e6
  }
}

function milliseconds(work: () => void): number {
  const started = cpuNanos()
  work()
  return (cpuNanos() - started) / 1e6
}

/** Milliseconds per megabyte, of the first run within the limit or else the best. */
function cost(bytes: number, work: () => void, limit = 0): number {
  let best = Infinity
  // Ordinary data is measured after its code was compiled.
  const maxRuns = limit === 0 ? 4 * MAX_RUNS : MAX_RUNS
  for (let run = 0; run < maxRuns && best > limit; run++)
    best = Math.min(best, milliseconds(work) / (bytes / 1e6))
  return best
}

function list<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: Math.ceil(count) }, (_, index) => make(index))
}

const CONTEXT = {
  sent_by: 'u',
  now: 1_700_000_000_000_000n,
  newId: () => 'id',
  clock: new RecordClock(),
  columns: new ColumnExtractor(),
}

type Pairs = [string, AttributeValue][]
const span = (attributes: Pairs, more: Partial<Span> = {}): Span =>
  makeSpan({ attributes: new Map(attributes), ...more })
const event = (name: string, attributes: Pairs = []): SpanEvent => ({
  name,
  timeNanos: 1n,
  attributes: new Map(attributes),
  droppedAttributes: 0,
})

function nested(levels: number, isList: boolean): AttributeValue {
  let value: AttributeValue = 'x'
  for (let i = 0; i < levels; i++) value = isList ? [value] : new Map([['a', value]])
  return value
}

/** Contains `#`, `##~`, `##~#~` and so on. */
function marks(length: number): string {
  const parts = ['#']
  for (let total = 0; total < length; total += parts.at(-1)!.length) parts.push(`${parts.at(-1)!}#~`)
  return parts.join(' ')
}

const MESSAGES = JSON.stringify([
  { role: 'user', parts: [{ type: 'text', content: 'hello world '.repeat(80) }] },
])
const ORDINARY: Pairs = [
  ['gen_ai.operation.name', 'chat'],
  ['gen_ai.request.model', 'gpt-5'],
  ['gen_ai.input.messages', MESSAGES],
  ['gen_ai.output.messages', MESSAGES],
  ['server.address', 'example.com'],
  ['http.status', 200n],
]

const SPANS: Readonly<Record<string, () => Span[]>> = {
  'names of dots': () => [span(list(BYTES / 40_000, (i) => [`${'.'.repeat(40_000)}${i}`, 1n]))],
  'dotted names': () => [span(list(BYTES / 40_000, (i) => [`${'a.'.repeat(20_000)}${i}`, 1n]))],
  'dotted names of a group': () => [
    span(list(BYTES / 40_000, (i) => [`llm.input_messages.${'0.'.repeat(20_000)}${i}`, 'x'])),
  ],
  'many dotted names': () => [span(list(BYTES / 15, (i) => [`a.b.c.d.${i}`, 1n]))],
  'many names': () => [span(list(BYTES / 15, (i) => [`k${i}`, 1n]))],
  'many messages': () => [span(list(BYTES / 35, (i) => [`gen_ai.prompt.${99_999 - i}.content`, 'x']))],
  'many events': () => [span([], { events: list(BYTES / 15, () => event('e')) })],
  'many messages as events': () => [
    span([], { events: list(BYTES / 60, () => event('gen_ai.user.message', [['content', 'x']])) }),
  ],
  'many exceptions': () => [
    span([], { events: list(BYTES / 60, () => event('exception', [['exception.type', 'x']])) }),
  ],
  'many links': () => [
    span([], {
      links: list(BYTES / 40, () => ({
        traceId: '1'.repeat(32),
        spanId: '2'.repeat(16),
        traceState: '',
        attributes: new Map(),
      })),
    }),
  ],
  'nested maps': () => list(BYTES / 600, () => span([['v', nested(99, false)]])),
  'nested lists': () => list(BYTES / 400, () => span([['v', nested(99, true)]])),
  'maps nested too deeply': () => [span([['v', nested(1_000, false)]])],
  'a wide map': () => [span([['v', new Map(list(BYTES / 15, (i) => [String(i * 4096), 1n]))]])],
  'a long list': () => [span([['v', list(BYTES / 4, () => 1n)]])],
  'a long text': () => [span([['gen_ai.input.messages', 'x'.repeat(BYTES)]])],
  'control characters': () => [span([['v', '\u0001'.repeat(BYTES)]])],
  backslashes: () => [span([['input.value', `"${'\\'.repeat(BYTES)}`]])],
  'JSON nested too deeply': () => [span([['input.value', '['.repeat(BYTES)]])],
  'numbers in JSON': () => [span([['input.value', `[${list(BYTES / 4, () => '1.0').join(',')}]`]])],
  'a number of many digits': () => [span([['input.value', `[${'1'.repeat(BYTES)}]`]])],
  'a number beside many marks': () => [span([['input.value', `["${marks(BYTES)}",1.0]`]])],
  'a key again and again': () => [span([['input.value', `{${list(BYTES / 6, () => '"a":1').join(',')}}`]])],
  'many keys of metadata': () => [
    span([['metadata', `{${list(BYTES / 12, (i) => `"k${i}":1`).join(',')}}`]]),
  ],
  'JSON in JSON': () => {
    let text = 'x'
    for (let i = 0; i < 12; i++) text = JSON.stringify([{ role: 'user', content: text }])
    return list(BYTES / text.length, () => span([['gen_ai.prompt', text]]))
  },
  'tiny spans': () => list(BYTES / 50, () => span([], { name: 'x' })),
  'names of spaces': () => list(BYTES / 1_000, () => span([], { name: `${' '.repeat(950)}x` })),
  'names of digits': () => list(BYTES / 1_000, () => span([], { name: ` ${'a'.repeat(950)}` })),
  tracebacks: () =>
    list(BYTES / 20_000, () =>
      span([], { statusCode: 2, statusMessage: `Traceback\n${'A.'.repeat(9_900)}${'AError'.repeat(30)}` }),
    ),
}

function store(body: Buffer, encoding: 'protobuf' | 'json'): void {
  const encoder = new RecordEncoder(CONTEXT)
  for (const each of decodeTraces(body, encoding).spans) encodeCall(encoder, 'a/b', mapSpan(each).call)
  encoder.release()
}

describe.each(['protobuf', 'json'] as const)('spans in %s', (encoding) => {
  const ordinary = encodeTraces(
    list(BYTES / 2_200, () => span(ORDINARY)),
    encoding,
  )
  const limit = MAX_RATIO * cost(ordinary.length, () => store(ordinary, encoding))

  test.each(Object.entries(SPANS))('%s', (_name, make) => {
    const body = encodeTraces(make(), encoding)
    expect(cost(body.length, () => store(body, encoding), limit)).toBeLessThan(limit)
  })
})

test('log records', () => {
  const record = (body: AttributeValue): LogRecord => {
    const { resource, scope, traceId, spanId } = span([])
    const eventName = 'gen_ai.client.inference.operation.details'
    return { resource, scope, traceId, spanId, eventName, timeNanos: 1n, attributes: new Map(), body }
  }
  const work = (records: LogRecord[]) => {
    const body = encodeLogs(records, 'protobuf')
    return [body.length, () => decodeLogs(body, 'protobuf').records.forEach((each) => mapLog(each))] as const
  }
  const ordinary = list(BYTES / 1_000, () => record(new Map([['gen_ai.input.messages', MESSAGES]])))
  const limit = MAX_RATIO * Math.max(30, cost(...work(ordinary)))
  const wide = record(`{${list(BYTES / 12, (i) => `"k${i}":1.0`).join(',')}}`)
  expect(cost(...work([wide]), limit)).toBeLessThan(limit)
})

const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'nested objects': () =>
    `{"a":[${list(BYTES / 1_200, () => `${'{"a":'.repeat(190)}1${'}'.repeat(190)}`).join(',')}]}`,
  'a nested text': () => `${'{"a":'.repeat(190)}"${'x'.repeat(BYTES)}"${'}'.repeat(190)}`,
  'many keys': () => `{${list(BYTES / 12, (i) => `"k${i}":1`).join(',')}}`,
  'long keys': () => `{${list(BYTES / 1_000, (i) => `"${'k'.repeat(990)}${i}":1`).join(',')}}`,
  'dotted keys': () => `{${list(BYTES / 40_000, (i) => `"${'a.'.repeat(20_000)}${i}":1`).join(',')}}`,
  'a key again and again': () => `{${list(BYTES / 6, () => '"a":1').join(',')}}`,
  'an escaped key again and again': () => `{${list(BYTES / 11, () => '"\\u0061":1').join(',')}}`,
  'escaped halves of characters': () => `{"a":"${'\\ud800'.repeat(BYTES / 6)}"}`,
  'numbers of many digits': () => `{"a":[${list(BYTES / 1_000, () => '9'.repeat(999)).join(',')}]}`,
  'a number of many digits': () => `{"a":${'1'.repeat(BYTES)}}`,
  'numbers out of range': () => `{"a":[${list(BYTES / 8, () => '1e99999').join(',')}]}`,
  refs: () => `{"a":[${list(BYTES / 12, () => '"weave:///"').join(',')}]}`,
  'halves of refs': () => `{"a":"${'\\"weave:///'.repeat(BYTES / 11)}"}`,
  spaces: () => `{"a":${' '.repeat(BYTES)}1}`,
  'empty objects': () => `{"a":[${list(BYTES / 3, () => '{}').join(',')}]}`,
}

const parser = new RequestParser(operations.calls_complete as never)

interface ParsedCalls {
  readonly input: { readonly batch: readonly never[] }
}

/** Parses, encodes and digests a document in every place of a call. */
function storeDocument(document: string): void {
  const record = `"project_id":"a/b","id":"a","trace_id":"t","op_name":"o","started_at":1,"ended_at":2,"exception":${JSON.stringify(document)}`
  const body = Buffer.from(
    `{"batch":[{${record},"attributes":${document},"inputs":${document},"output":${document},"summary":${document}}]}`,
  )
  const params = { entity: 'a', project: 'b' }
  const { input } = parser.parse({ body, headers: {}, params, query: {} }) as ParsedCalls
  const encoder = new RecordEncoder(CONTEXT)
  for (const each of input.batch) encoder.complete(each)
  encoder.release()
  const raw = RawJson.fromBytes(Buffer.from(document))
  valueDigest(raw)
  readObjectClass(raw)
  payloadPaths([document])
  const texts = { attributes: document, inputs: document, output: document, summary: document }
  viewCall({ id: 'a', project_id: 'a/b', op_name: 'o', started_at: '', ...texts } as never)
}

describe('a document of a call', () => {
  const ordinary = JSON.stringify({
    messages: list(BYTES / 100, () => ({ role: 'user', content: 'hello world '.repeat(5), n: 1.5 })),
  })
  const limit = MAX_RATIO * cost(ordinary.length, () => storeDocument(ordinary))

  test.each(Object.entries(DOCUMENTS))('%s', (_name, make) => {
    const document = make()
    expect(cost(document.length, () => storeDocument(document), limit)).toBeLessThan(limit)
  })
})

/** For steps that depend on a number of items: ten times as many may take twenty times as long. */
function expectLinear(work: (count: number) => () => void, count: number): void {
  const few = cost(1e6, work(count))
  const limit = 20 * Math.max(few, 1)
  expect(cost(1e6, work(10 * count), limit)).toBeLessThan(limit)
}

test('contents that log records add to one call', () => {
  expectLinear((count) => {
    const contents = list(count, (i) =>
      encodeContent({ timeNanos: BigInt(i), inputs: '{"messages":[{"role":"user"}]}', output: undefined }),
    )
    return () =>
      void joinContents(
        Buffer.from('{}'),
        sortedContents(contents).map(({ inputs }) => inputs),
      )
  }, 2_000)
})

test('insertions into a table of a million rows', () => {
  const rows = list(1_000_000, String)
  const digests = new ChunkedList(rows)
  const fast = milliseconds(() => list(2_000, (i) => digests.insert(500_000 - 7 * i, 'x')))
  const slow = milliseconds(() => list(2_000, (i) => rows.splice(500_000 - 7 * i, 0, 'x')))
  expect(digests.toArray().join() === rows.join()).toBe(true)
  expect(fast).toBeLessThan(slow / 4)
}, 60_000)

test('a search for a text that nearly occurs everywhere', () => {
  const text = 'a'.repeat(262_144)
  const short = cost(1e6, () => void searchPreview(text, 'aab'))
  const limit = 10 * Math.max(short, 1)
  expect(cost(1e6, () => void searchPreview(text, `${'a'.repeat(255)}b`), limit)).toBeLessThan(limit)
})
