import type { BodyPool } from './body-pool.ts'

/** Up to this size chunks are kept as they are. */
const MAX_CHUNKED_BYTES = 1024 * 1024

/**
 * Joins the chunks of a body. Those of a large one are copied into a buffer that grows by doubling: thousands of freed
 * small chunks would fragment the memory of the process.
 */
export class ByteCollector {
  readonly #maxBytes: number
  readonly #pool: BodyPool | undefined
  #chunks: Buffer[] = []
  #buffer: Buffer | undefined
  #length = 0

  /** The final size is at most `maxBytes`. Chunks are joined in memory of `pool`, if there is one. */
  constructor(maxBytes: number, pool?: BodyPool) {
    this.#maxBytes = maxBytes
    this.#pool = pool
  }

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    const at = this.#length
    this.#length += chunk.length
    if (this.#buffer === undefined && this.#length <= MAX_CHUNKED_BYTES) {
      this.#chunks.push(chunk)
      return
    }
    chunk.copy(this.#reserved(), at)
  }

  take(): Buffer {
    if (this.#buffer !== undefined) return this.#buffer.subarray(0, this.#length)
    const [first] = this.#chunks
    if (first !== undefined && this.#chunks.length === 1) return first
    return this.#pool === undefined ? Buffer.concat(this.#chunks) : this.#join(this.#pool.take(this.#length))
  }

  #join(joined: Buffer): Buffer {
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(joined, at)
    return joined
  }

  /** The buffer, large enough for `#length` bytes. */
  #reserved(): Buffer {
    const buffer = this.#buffer
    if (buffer !== undefined && buffer.length >= this.#length) return buffer
    const size = Math.max(this.#length, Math.min(this.#length * 2, this.#maxBytes))
    const grown = Buffer.allocUnsafeSlow(size)
    if (buffer === undefined) this.#join(grown)
    else buffer.copy(grown)
    this.#chunks = []
    this.#buffer = grown
    return grown
  }
}
