/** A counting semaphore with a FIFO queue. A released permit passes directly to the first waiter. */
export interface SemaphoreOptions {
  readonly permits: number
  /** The error of `run` when the deadline has passed. */
  readonly rejection: () => Error
}

export class Semaphore {
  readonly #options: SemaphoreOptions
  #held = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: SemaphoreOptions) {
    this.#options = options
  }

  /** Runs `work` with a permit. `deadlineMs`, by `performance.now()`, limits the wait for it, not the work. */
  async run<T>(work: () => Promise<T>, deadlineMs?: number): Promise<T> {
    if (this.#held < this.#options.permits) this.#held++
    else await this.#wait(deadlineMs)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #wait(deadlineMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const expire = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1)
        reject(this.#options.rejection())
      }
      const timer = deadlineMs === undefined ? undefined : setTimeout(expire, deadlineMs - performance.now())
      this.#waiting.push(grant)
    })
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#held--
    else next()
  }
}
