/** Limits of what one request may read from ClickHouse, in bytes as received. */
export interface ResultLimits {
  readonly maxBytes: number
  readonly maxRowBytes: number
  /** The error when a limit is exceeded. */
  readonly exceeded: () => Error
  /** Whether the error moves the request to the thread for large requests. */
  readonly isMainThread: boolean
}

/** Counts what the statements of one request return, and fails the request when it is too much. */
export class ResultLimit {
  readonly maxRowBytes: number
  readonly isMainThread: boolean
  readonly #limits: ResultLimits
  #bytes = 0
  #isActive = true
  #isHandled = false

  constructor(limits: ResultLimits) {
    this.#limits = limits
    this.maxRowBytes = limits.maxRowBytes
    this.isMainThread = limits.isMainThread
  }

  /** Counts received bytes. Throws if the request has received too many. */
  count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.maxBytes) this.#fail()
  }

  /** Throws if a row that is still incomplete is too large already. */
  checkRow(bytes: number): void {
    if (bytes > this.maxRowBytes) this.#fail()
  }

  /** For work whose size is known only when it is done: it always fails on the main thread. */
  leaveToThread(): void {
    if (this.isMainThread) this.#fail()
  }

  /** The response has begun, so the request can no longer fail or be executed elsewhere. */
  onResponseStarted(): void {
    this.#isActive = this.#isHandled
  }

  /** For a stream whose handler catches the error of each group of rows: the count starts anew with every group. */
  startGroup(): void {
    this.#isHandled = true
    this.#bytes = 0
  }

  #fail(): void {
    if (this.#isActive) throw this.#limits.exceeded()
  }
}
