type Release = () => void

/** The concurrency slot of one read request. Its statements share it, and it is released with the request. */
export class ReadSlot {
  #slot: Promise<Release> | undefined
  #isClosed = false

  /** Acquires the slot once. Waiting for a second slot while holding one could deadlock. */
  async acquire(acquire: () => Promise<Release>): Promise<void> {
    // A slot acquired now would never be released.
    if (this.#isClosed) return
    this.#slot ??= acquire()
    await this.#slot
  }

  /** Replaces the slot by one that was already acquired, and releases the old one. */
  replace(slot: Release): void {
    if (this.#isClosed) return slot()
    this.#release()
    this.#slot = Promise.resolve(slot)
  }

  /** Called when the response was sent or the client disconnected. */
  close(): void {
    this.#isClosed = true
    this.#release()
  }

  #release(): void {
    const slot = this.#slot
    this.#slot = undefined
    slot?.then(
      (release) => release(),
      () => {},
    )
  }
}
