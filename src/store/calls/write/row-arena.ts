import { RowWriter } from '../../database/row-binary.ts'

/**
 * Memory for encoded records until they are stored. New buffers for every request would cost as much garbage collection as
 * the parsed records. So the rows of all requests are written one after the other into blocks, and a block is reused
 * when every request with rows in it has been acknowledged. A request that fails keeps its blocks, which are then garbage.
 */

/** Fits the rows of a batch of 100 calls of 3.4 KB. */
const BLOCK_BYTES = 512 * 1024

/** As many as the rows of two full inserts need. */
const MAX_FREE_BLOCKS = 128

export class RowBlock {
  readonly writer = new RowWriter(BLOCK_BYTES)
  /** Encoders with rows in this block. */
  users = 0

  /** Writing more rows may move them, so they are valid only until then; what was sliced from them before stays. */
  get bytes(): Buffer {
    return this.writer.since(0)
  }
}

export class RowArena {
  #current = new RowBlock()
  readonly #free: RowBlock[] = []

  get freeBlocks(): number {
    return this.#free.length
  }

  /** The block for a record of roughly `bytes` bytes. A larger one grows its block. */
  blockFor(bytes: number): RowBlock {
    const { length } = this.#current.writer
    if (length > 0 && length + bytes > BLOCK_BYTES) this.#current = this.#free.pop() ?? new RowBlock()
    return this.#current
  }

  release(block: RowBlock): void {
    if (--block.users > 0) return
    block.writer.clear()
    const isGrown = block.writer.capacity > BLOCK_BYTES
    if (block !== this.#current && !isGrown && this.#free.length < MAX_FREE_BLOCKS) this.#free.push(block)
  }
}

/** Shared by all requests of the process: a record is encoded synchronously, from its first byte to its last. */
export const rowArena = new RowArena()
