import { setImmediate } from 'node:timers/promises'
import type { CallFacts } from '../../../core/calls/call-facts.ts'
import { RowWriter } from '../../database/row-binary.ts'
import type { ColumnExtractor } from '../columns/column-extractor.ts'
import { writeCallRow } from './call-rows.ts'

/** Building a row takes about 20 µs; after this many the event loop gets a turn, so that other requests do not wait. */
const ROWS_PER_SLICE = 250

/**
 * The rows of one insert, in any order. Most are already encoded where their request was read; adjacent rows become one
 * chunk. The others are built after them, and are adjacent too: an insert is a few hundred chunks, not thousands.
 */
export async function encodeRows(columns: ColumnExtractor, calls: readonly CallFacts[]): Promise<Buffer[]> {
  const chunks = new BufferChunks()
  const toBuild: CallFacts[] = []
  for (const facts of calls) {
    const { row } = facts
    if (row === undefined) toBuild.push(facts)
    else chunks.add(row)
  }
  const writer = new RowWriter(64 * 1024)
  for (const [built, facts] of toBuild.entries()) {
    if (built % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await setImmediate()
    writeCallRow(writer, columns, facts, 0n)
    chunks.add(writer.take())
  }
  return chunks.end()
}

/** Joins buffers that are adjacent in memory, without copying. */
class BufferChunks {
  readonly #chunks: Buffer[] = []
  #memory: ArrayBufferLike | undefined
  #from = 0
  #to = 0

  add(buffer: Buffer): void {
    if (buffer.buffer !== this.#memory || buffer.byteOffset !== this.#to) {
      this.#endChunk()
      this.#memory = buffer.buffer
      this.#from = buffer.byteOffset
    }
    this.#to = buffer.byteOffset + buffer.length
  }

  end(): Buffer[] {
    this.#endChunk()
    return this.#chunks
  }

  #endChunk(): void {
    if (this.#memory !== undefined) {
      this.#chunks.push(Buffer.from(this.#memory as ArrayBuffer, this.#from, this.#to - this.#from))
    }
  }
}
