/** What one of the merged iterators returned or threw. */
export interface Arrival<Item> {
  readonly index: number
  readonly result: PromiseSettledResult<IteratorResult<Item, undefined>>
}

/**
 * Waits for whichever of several async iterators has its next item first. Each is read one item ahead at most. (`Promise.race`
 * would keep a handler in every pending promise for each item of the others.)
 */
export class IteratorMerge<Item> {
  readonly #iterators: readonly Pick<AsyncIterator<Item, undefined>, 'next'>[]
  readonly #arrivals: Arrival<Item>[] = []
  #wake: (() => void) | undefined
  #isEnded = false

  constructor(iterators: readonly Pick<AsyncIterator<Item, undefined>, 'next'>[]) {
    this.#iterators = iterators
  }

  /** Requests the next item of an iterator, which `take` will return. */
  request(index: number): void {
    const arrive = (result: Arrival<Item>['result']): void => {
      this.#arrivals.push({ index, result })
      this.#wake?.()
    }
    this.#iterators[index]?.next().then(
      (value) => arrive({ status: 'fulfilled', value }),
      (reason: unknown) => arrive({ status: 'rejected', reason }),
    )
  }

  /** The next requested item; undefined after `end`, or if `timeoutMs` pass without one. */
  async take(timeoutMs?: number): Promise<Arrival<Item> | undefined> {
    if (this.#arrivals.length === 0 && !this.#isEnded) await this.#arrival(timeoutMs)
    return this.#isEnded ? undefined : this.#arrivals.shift()
  }

  end(): void {
    this.#isEnded = true
    this.#wake?.()
  }

  async #arrival(timeoutMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (timeoutMs !== undefined) timer = setTimeout(resolve, Math.max(0, timeoutMs))
    })
    clearTimeout(timer)
  }
}
