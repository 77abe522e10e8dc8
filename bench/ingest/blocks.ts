import type { CallComplete } from '../../src/contract/calls/calls.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations.ts'
import { RecordClock } from '../../src/core/calls/record-clock.ts'
import { RequestParser } from '../../src/http/request-parser.ts'
import { ColumnExtractor } from '../../src/store/calls/columns/column-extractor.ts'
import { writeCallRow } from '../../src/store/calls/write/call-rows.ts'
import { RecordEncoder } from '../../src/store/calls/write/record-encoder.ts'
import { RowWriter } from '../../src/store/database/row-binary.ts'
import { makeCall, PROJECT, PROJECT_ID, randomFrom } from './calls.ts'
import type { Ids } from './templates.ts'

/** The rows of one insert, encoded once. Each use writes new ids and times over the old ones. */
export interface Block {
  readonly rows: number
  withIds(ids: Ids, first: number): Buffer
}

const BATCH = 100

/** Encodes rows with the server's own code, so they are the rows that it would insert. */
export async function makeBlock(seed: number, rows: number, bytesPerCall?: number): Promise<Block> {
  const random = randomFrom(seed)
  const reader = new RequestParser(operations.calls_complete as unknown as Operation)
  const columns = new ColumnExtractor()
  const records = new RecordEncoder({
    sent_by: 'admin',
    now: 0n,
    newId: () => '',
    clock: new RecordClock(),
    columns,
  })
  const writer = new RowWriter(64 * 1024 * 1024)
  const pieces: Buffer[] = []
  const starts: number[] = []
  let length = 0
  for (let n = 0; n < rows / BATCH; n++) {
    const batch = Array.from({ length: BATCH }, () => makeCall(random, { bytesPerCall })).map(
      ({ start, end }) => ({ ...start, ...end }),
    )
    const body = Buffer.from(JSON.stringify({ batch }))
    const { input } = await reader.parse({ body, headers: {}, params: { ...PROJECT }, query: {} })
    for (const record of (input as { batch: CallComplete[] }).batch) {
      writeCallRow(writer, columns, records.complete(record), 0n)
      const row = Buffer.from(writer.take())
      pieces.push(row)
      starts.push(length)
      length += row.length
    }
  }
  const bytes = Buffer.concat(pieces)
  return {
    rows,
    withIds: (ids, first) => {
      for (const [n, start] of starts.entries()) {
        const id = ids.at(first + n)
        const idAt = start + 1 + PROJECT_ID.length + 1
        bytes.write(id, idAt, 'latin1')
        bytes.writeBigInt64LE(BigInt(ids.timeOf(first + n)) * 1_000n, idAt + id.length)
        bytes.write(id, idAt + id.length + 8 + 1, 'latin1')
      }
      return bytes
    },
  }
}
