import { Agent, request } from 'node:http'
import type { CallComplete } from '../../src/contract/calls/calls.ts'
import { operations } from '../../src/contract/operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { RunningClickHouse } from '../../src/clickhouse/running.ts'
import { RequestParser } from '../../src/http/request-parser.ts'
import { CALL_COLUMNS } from '../../src/store/calls/call-columns.ts'
import { RecordClock } from '../../src/core/calls/record-clock.ts'
import { RecordEncoder } from '../../src/store/calls/record-encoder.ts'
import { writeCallRow } from '../../src/store/calls/call-rows.ts'
import { RowWriter } from '../../src/store/database/row-binary.ts'
import { makeCall, PROJECT, PROJECT_ID, randomFrom } from './calls.ts'
import { Ids } from './templates.ts'

/** The baseline: inserts encoded rows into ClickHouse directly, in large inserts, into a copy of the table without views. */
const ROWS_PER_INSERT = 10_000
const CONNECTIONS = 2
const TABLE = 'bare_calls'

export interface BareOutcome {
  readonly calls: number
  readonly seconds: number
}

export async function insertBare(clickhouse: RunningClickHouse, seconds: number): Promise<BareOutcome> {
  const execute = clickhouseClient(clickhouse)
  await execute(`DROP TABLE IF EXISTS ${TABLE} SYNC`)
  await execute(`CREATE TABLE ${TABLE} AS calls`)
  const feeders = await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, n) => ({
      ids: new Ids(n),
      blocks: await Promise.all([makeBlock(100 + n), makeBlock(200 + n)]),
    })),
  )
  let calls = 0
  const started = performance.now()
  const until = started + seconds * 1_000
  await Promise.all(
    feeders.map(async ({ ids, blocks }) => {
      for (let n = 0; performance.now() < until; n++) {
        const block = blocks[n % blocks.length]
        if (block === undefined) return
        block.fill(ids, n * ROWS_PER_INSERT)
        await execute(`INSERT INTO ${TABLE} (${CALL_COLUMNS.join(', ')}) FORMAT RowBinary`, block.bytes)
        calls += ROWS_PER_INSERT
      }
    }),
  )
  const took = (performance.now() - started) / 1_000
  await execute(`DROP TABLE ${TABLE} SYNC`)
  return { calls, seconds: took }
}

interface Block {
  readonly bytes: Buffer
  fill(ids: Ids, first: number): void
}

/** Encodes rows with the server's own code, so they are the rows that it would insert. */
async function makeBlock(seed: number): Promise<Block> {
  const random = randomFrom(seed)
  const reader = new RequestParser(operations.calls_complete as unknown as Operation)
  const records = new RecordEncoder(
    { wb_user_id: 'admin', now: 0n, newId: () => '', clock: new RecordClock() },
    64 * 1024 * 1024,
  )
  const writer = new RowWriter(64 * 1024 * 1024)
  const pieces: Buffer[] = []
  const starts: number[] = []
  let length = 0
  for (let n = 0; n < ROWS_PER_INSERT / 100; n++) {
    const batch = Array.from({ length: 100 }, () => makeCall(random)).map(({ start, end }) => ({
      ...start,
      ...end,
    }))
    const body = Buffer.from(JSON.stringify({ batch }))
    const read = (await reader.parse({ body, headers: {}, params: { ...PROJECT }, query: {} })) as {
      batch: CallComplete[]
    }
    for (const record of read.batch) {
      writeCallRow(writer, records.complete(record), 0n)
      const row = Buffer.from(writer.take())
      pieces.push(row)
      starts.push(length)
      length += row.length
    }
  }
  const bytes = Buffer.concat(pieces)
  return {
    bytes,
    fill: (ids, first) => {
      for (const [n, start] of starts.entries()) {
        const id = ids.at(first + n)
        const idAt = start + 1 + PROJECT_ID.length + 1
        bytes.write(id, idAt, 'latin1')
        bytes.writeBigInt64LE(BigInt(ids.timeOf(first + n)) * 1_000n, idAt + id.length)
        bytes.write(id, idAt + id.length + 8 + 1, 'latin1')
      }
    },
  }
}

/** Runs statements in ClickHouse directly, without Heddle's client. */
export function clickhouseClient(
  clickhouse: RunningClickHouse,
): (statement: string, body?: Buffer) => Promise<string> {
  // A new connection per statement is cheap beside an insert, and ClickHouse closes idle ones between inserts.
  const agent = new Agent({ keepAlive: false })
  return (statement, body = Buffer.alloc(0)) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${clickhouse.url}/?database=heddle&query=${encodeURIComponent(statement)}`,
        {
          method: 'POST',
          agent,
          headers: {
            'x-clickhouse-user': clickhouse.username,
            'x-clickhouse-key': clickhouse.password,
            'content-length': body.length,
          },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
}
