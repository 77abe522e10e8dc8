/**
 * Memory for the bodies of ingest, which is most of what requests bring. A new buffer for every body would make the garbage
 * collector mark the whole heap once per second under load.
 */
export class BodyPool {
  readonly #blockBytes: number
  readonly #maxFree: number
  readonly #free: ArrayBufferLike[] = []
  readonly #inUse = new WeakSet<ArrayBufferLike>()

  constructor(blockBytes: number, maxFree: number) {
    this.#blockBytes = blockBytes
    this.#maxFree = maxFree
  }

  get freeBlocks(): number {
    return this.#free.length
  }

  /** Returns an uninitialized buffer of `bytes` bytes. Only large bodies use a block: for small ones it would gain nothing. */
  take(bytes: number): Buffer {
    if (bytes > this.#blockBytes || bytes < this.#blockBytes / 16) return Buffer.allocUnsafe(bytes)
    const block = this.#free.pop() ?? new ArrayBuffer(this.#blockBytes)
    this.#inUse.add(block)
    return Buffer.from(block, 0, bytes)
  }

  /** Nothing may read the body afterwards. Unreleased bodies are garbage-collected. */
  release(body: Buffer): void {
    if (!this.#inUse.delete(body.buffer) || this.#free.length >= this.#maxFree) return
    this.#free.push(body.buffer)
  }
}
