/**
 * Requests that have arrived together are not all worked on in one go: what one insert answered comes back as fifty
 * requests at once, and reading them all would keep everybody else waiting for a quarter of a second. So after as much
 * as takes a few milliseconds, whoever else has something to do comes first.
 */
export class EventLoopYielder {
  readonly #bytesAtATime: number
  readonly #waiting: { readonly bytes: number; readonly go: () => void }[] = []
  /** Of what was let go since the event loop last came round. */
  #bytes = 0
  #isTurning = false

  constructor(bytesAtATime = 256 * 1024) {
    this.#bytesAtATime = bytesAtATime
  }

  /** Undefined, so nothing to wait for, if it is quiet. */
  take(bytes: number): Promise<void> | undefined {
    this.#turn()
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#bytes += bytes
      return undefined
    }
    return new Promise((go) => this.#waiting.push({ bytes, go }))
  }

  /** However large, one can always go. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#bytesAtATime
  }

  #turn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => {
      this.#isTurning = false
      this.#bytes = 0
      let next = this.#waiting[0]
      while (next !== undefined && this.#fits(next.bytes)) {
        this.#waiting.shift()
        this.#bytes += next.bytes
        next.go()
        next = this.#waiting[0]
      }
      if (this.#bytes > 0) this.#turn()
    })
  }
}
