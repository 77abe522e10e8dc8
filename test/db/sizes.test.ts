import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callMeasures, selectUsageStats } from '../../src/store/calls/read/stats.ts'
import { selectTraceSizes, sizeStatement } from '../../src/store/calls/read/sizes.ts'
import { Database } from '../../src/store/database/database.ts'
import { selectStoredBytes } from '../../src/store/database/stored-bytes.ts'
import { selectTableStats } from '../../src/store/objects/tables.ts'
import type { Sql } from '../../src/store/query/sql.ts'
import { selectFirstBeyond, selectFullHours } from '../../src/store/retention/retention-plan.ts'
import { useServer } from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/** Statements that need only the sizes of payloads do not read the payloads, though they read with FINAL. */

const server = useServer()
const project_id = 'acme/sizes'
const SPANS = 40
const TEXT_BYTES = 40_000
const PAYLOAD_BYTES = SPANS * TEXT_BYTES
const STARTED = BigInt(Date.UTC(2026, 9, 1)) * 1000n
const HOUR = Number(STARTED / 3_600_000_000n)

/** Logs every statement with what it read. */
let db: Database
const lines: { readonly read_bytes?: number }[] = []
let digest: string
let trace_ids: string[]

const text = (): string => randomBytes(TEXT_BYTES / 2).toString('hex')

beforeAll(async () => {
  const { settings } = server.heddle.deps.db
  const log = (line: object): void => {
    lines.push(line)
  }
  db = new Database({ ...settings, slowQueryLog: { thresholdMs: 1e-6, withValues: false, log } })
  const startNanos = STARTED * 1000n
  const attributes = (): Map<string, string | bigint> =>
    new Map<string, string | bigint>([
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.request.model', 'gpt-5'],
      ['gen_ai.usage.input_tokens', 12n],
      ['text', text()],
    ])
  const spans = Array.from({ length: SPANS }, () =>
    makeSpan({ attributes: attributes(), startNanos, endNanos: startNanos + 1000n }),
  )
  trace_ids = spans.map(({ traceId }) => traceId)
  const headers = { 'content-type': 'application/x-protobuf', project_id }
  await server.send('/v1/traces', encodeTraces(spans, 'protobuf'), { headers })
  const rows = Array.from({ length: SPANS }, () => ({ text: text() }))
  digest = (await server.post<{ digest: string }>('/table/create', { table: { project_id, rows } })).digest
  for (let i = 0; i < 8; i++) {
    const form = new FormData()
    form.append('project_id', project_id)
    form.append('file', new Blob([text()]), 'text')
    await server.send('/files/create', undefined, { method: 'POST', body: form })
  }
})

afterAll(async () => {
  await db.close()
})

const buckets = { start: STARTED, end: STARTED + 3_600_000_000n, seconds: 3600, timezone: 'UTC' }

test.each<[string, number, () => Sql]>([
  ['the size of a project', PAYLOAD_BYTES, () => sizeStatement(project_id, [])],
  ['the sizes of traces', PAYLOAD_BYTES, () => selectTraceSizes(project_id, trace_ids)],
  ['the stored bytes of calls', PAYLOAD_BYTES, () => selectStoredBytes(project_id, 'calls')],
  ['the stored bytes of tables', PAYLOAD_BYTES, () => selectStoredBytes(project_id, 'tables')],
  ['the stored bytes of files', 8 * TEXT_BYTES, () => selectStoredBytes(project_id, 'files')],
  ['the size of a table', PAYLOAD_BYTES, () => selectTableStats(project_id, [digest])],
  ['retention by bytes: the hour', PAYLOAD_BYTES, () => selectFullHours([{ project_id, value: 1000 }])],
  [
    'retention by bytes: the call',
    PAYLOAD_BYTES,
    () => selectFirstBeyond([{ project_id, hour: HOUR, rest: 1000 }]),
  ],
  [
    'usage of roots and spans',
    PAYLOAD_BYTES,
    () =>
      selectUsageStats(
        { project_id, filter: { trace_roots_only: true }, buckets },
        callMeasures([]),
        'extracted',
      ),
  ],
])('%s', async (name, payloadBytes, statement) => {
  lines.length = 0
  const rows = await db.rows<Record<string, unknown>>(statement(), { name, kind: 'scan' })
  const sizes = rows.map((row) => Number(row['bytes'] ?? row['size'] ?? row['size_bytes'] ?? payloadBytes))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(payloadBytes)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.read_bytes).toBeLessThan(payloadBytes / 20)
})
