import { encodeTraces } from '../../test/otlp/encode.ts'
import { clickhouseClient } from '../ingest/bare.ts'
import type { MeasuredServer } from '../ingest/measured-server.ts'
import { END_NANOS, makeSpans, SEED, type SpanDialect, START_NANOS } from './spans.ts'
import { timeText } from './templates.ts'

/** Records for `calls/complete` that are stored as exactly the rows that spans become. */

/** Large enough for a few requests, small enough for each. */
const SPANS_PER_REQUEST = 500

/** Stores the spans with their placeholders. */
export async function storeOnce(
  { url, authorization }: MeasuredServer,
  count: number,
  dialect: SpanDialect,
): Promise<void> {
  const spans = makeSpans(count, SEED, dialect)
  for (let first = 0; first < count; first += SPANS_PER_REQUEST) {
    const response = await fetch(`${url}/otel/v1/traces`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-protobuf' },
      body: encodeTraces(spans.slice(first, first + SPANS_PER_REQUEST), 'protobuf'),
    })
    if (response.status !== 200) throw new Error(`the spans were not stored: ${await response.text()}`)
  }
}

const TEXTS = ['id', 'trace_id', 'parent_id', 'thread_id', 'turn_id', 'op_name', 'display_name'] as const
const DOCUMENTS = ['attributes', 'inputs', 'output', 'summary', 'otel_dump'] as const

type Row = Readonly<Record<(typeof TEXTS)[number] | (typeof DOCUMENTS)[number], string>>

/** The stored calls as records, one per line, in the order of the spans. */
export async function writeRecords(server: MeasuredServer, count: number): Promise<string> {
  const execute = clickhouseClient(server.clickhouse)
  const text = await execute(
    `SELECT ${[...TEXTS, ...DOCUMENTS].join(', ')} FROM calls FINAL WHERE started_at = toDateTime64(${START_NANOS / 1_000_000_000n}, 6) ORDER BY id FORMAT JSONEachRow`,
  )
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  if (rows.length !== count) throw new Error(`${rows.length} calls were stored, not ${count}`)
  return rows.map((row) => `${record(row)}\n`).join('')
}

function record(row: Row): string {
  const members = [
    '"project_id":"admin/bench"',
    `"started_at":"${timeText(START_NANOS)}"`,
    `"ended_at":"${timeText(END_NANOS)}"`,
    ...TEXTS.map((name) => `"${name}":${JSON.stringify(row[name])}`),
    // As stored, so that numbers keep their spelling.
    ...DOCUMENTS.map((name) => `"${name}":${row[name]}`),
  ]
  return `{${members.join(',')}}`
}
