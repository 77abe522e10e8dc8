import { ApiError } from '../contract/api-error.ts'
import { FairScheduler, type Wait } from '../core/concurrency/fair-scheduler.ts'
import { OVERLOAD_RETRY_SECONDS } from './limits.ts'

/**
 * The memory budget for request bodies, shared by all requests. Memory is reserved for bytes as they arrive, not for an
 * announced length, so a request that sends nothing holds next to nothing. When the budget is exhausted, requests wait
 * before more of their body is read, round robin between callers; after `waitMs` they are rejected with 503 and nothing
 * of them was stored.
 *
 * Requests that wait with half a body would wait for each other. So one request at a time, round robin between callers,
 * may exceed the budget and the limit of its caller until its body is complete.
 */
export interface MemoryBudgetOptions {
  readonly limitBytes: number
  /** How long a request may wait for memory. */
  readonly waitMs: number
}

/** Cost of a request besides its body: socket, headers, objects. Without it, small bodies would look free. */
const REQUEST_BYTES = 16 * 1024

/** The fraction of the budget that one caller may hold, so that some is always left for others. */
export const MAX_CALLER_FRACTION = 0.5

/** A waiting request holds a socket and its kernel buffer; beyond this many, new ones are rejected immediately. */
const MAX_WAITING = 1_000
const MAX_WAITING_PER_CALLER = 500

/** How often a request that has exceeded the budget for too long checks whether another one waits. */
const MAX_RECHECK_MS = 1_000

export class MemoryBudget {
  /** Weights are bytes. Requests that already hold memory have priority: they free it only when they finish. */
  readonly bytesHeld: FairScheduler
  /** The permit to exceed the budget. */
  readonly excessPermit: FairScheduler
  readonly waitMs: number
  #bytes = 0

  constructor({ limitBytes, waitMs }: MemoryBudgetOptions) {
    this.waitMs = waitMs
    this.bytesHeld = new FairScheduler({
      capacity: limitBytes,
      maxPerKey: limitBytes * MAX_CALLER_FRACTION,
      maxWaiting: MAX_WAITING,
      maxWaitingPerKey: MAX_WAITING_PER_CALLER,
      waitMs,
      rejection: busy,
    })
    this.excessPermit = new FairScheduler({
      capacity: 1,
      maxPerKey: 1,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingPerKey: Number.POSITIVE_INFINITY,
      waitMs,
      rejection: busy,
    })
  }

  /** Bytes of request bodies in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Requests waiting for memory. */
  get waiting(): number {
    return this.bytesHeld.waiting
  }

  openLease(): MemoryLease {
    return new MemoryLease(this, (bytes) => {
      this.#bytes += bytes
    })
  }
}

/** The memory that one request holds. */
export class MemoryLease {
  readonly #budget: MemoryBudget
  readonly #countBytes: (bytes: number) => void
  #caller = ''
  /** Bytes of the body. */
  #bodyBytes = 0
  /** Bytes granted by the budget, and beyond it. */
  #granted = 0
  #excess = 0
  #mayExceed = false
  #timer: NodeJS.Timeout | undefined
  #isComplete = false
  #isReleased = false
  #abandon: (() => void) | undefined
  #onRevoked: ((error: ApiError) => void) | undefined

  constructor(budget: MemoryBudget, countBytes: (bytes: number) => void) {
    this.#budget = budget
    this.#countBytes = countBytes
  }

  /** Waits until a body of this caller may be read; undefined if it may now. Throws `unavailable` after `waitMs`. */
  open(caller: string): Promise<void> | undefined {
    this.#caller = caller
    return this.reserve(0)
  }

  /** Raises the size of the body; undefined if granted immediately. Throws `unavailable` after `waitMs`. */
  reserve(bodyBytes: number): Promise<void> | undefined {
    return this.tryReserve(bodyBytes) ? undefined : this.#wait(bodyBytes)
  }

  /** Like `reserve`, but returns false instead of waiting. */
  tryReserve(bodyBytes: number): boolean {
    const added = this.#missing(bodyBytes)
    if (added <= 0 || this.#isReleased) return true
    const { bytesHeld, excessPermit } = this.#budget
    const isGrowing = this.#granted > 0
    if (!this.#mayExceed && !bytesHeld.tryAcquire(this.#caller, added, { isPriority: isGrowing })) {
      // A new request holds nothing that others wait for.
      if (!isGrowing || !excessPermit.tryAcquire(this.#caller, 1)) return false
      this.#startExceeding()
    }
    this.#add(added, bodyBytes)
    return true
  }

  /** Lowers the size of the body. */
  reduce(bodyBytes: number): void {
    const freed = -this.#missing(bodyBytes)
    if (freed <= 0 || this.#isReleased) return
    const beyond = Math.min(freed, this.#excess)
    this.#excess -= beyond
    this.#granted -= freed - beyond
    this.#setBodyBytes(bodyBytes)
    if (this.#excess === 0) this.#endExceeding()
    this.#budget.bytesHeld.release(this.#caller, freed - beyond)
  }

  /** Called if the request exceeds the budget for too long before `complete` while others wait. */
  onRevoked(revoke: (error: ApiError) => void): void {
    this.#onRevoked = revoke
  }

  /** The whole body was received. */
  complete(): void {
    this.#isComplete = true
    clearTimeout(this.#timer)
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#abandon?.()
    this.#setBodyBytes(0)
    this.#endExceeding()
    if (this.#granted > 0) this.#budget.bytesHeld.release(this.#caller, this.#granted)
  }

  /** Bytes to be granted before the body may have this size. */
  #missing(bodyBytes: number): number {
    return REQUEST_BYTES + bodyBytes - this.#granted - this.#excess
  }

  async #wait(bodyBytes: number): Promise<void> {
    const { bytesHeld, excessPermit } = this.#budget
    const added = this.#missing(bodyBytes)
    const waits: Wait[] = []
    const onGrant = (): void => {
      this.#add(added, bodyBytes)
      cancelAll()
    }
    const cancelAll = (): void => {
      for (const wait of waits) wait.cancel(busy())
    }
    this.#abandon = cancelAll
    const isGrowing = this.#granted > 0
    const exceed = (): void => {
      this.#startExceeding()
      onGrant()
    }
    if (isGrowing) waits.push(excessPermit.wait(this.#caller, 1, { onGrant: exceed }))
    waits.push(bytesHeld.wait(this.#caller, added, { isPriority: isGrowing, onGrant }))
    await Promise.any(waits.map((wait) => wait.granted)).catch(() => {
      throw busy()
    })
  }

  #add(added: number, bodyBytes: number): void {
    if (this.#mayExceed) this.#excess += added
    else this.#granted += added
    this.#setBodyBytes(bodyBytes)
  }

  #setBodyBytes(bodyBytes: number): void {
    this.#countBytes(bodyBytes - this.#bodyBytes)
    this.#bodyBytes = bodyBytes
  }

  /** A client that sends its body slowly must not keep the permit for long. */
  #startExceeding(): void {
    this.#mayExceed = true
    const { excessPermit, waitMs } = this.#budget
    const giveWay = (): void => {
      if (this.#isComplete || this.#isReleased) return
      if (excessPermit.waiting > 0) this.#onRevoked?.(busy())
      else this.#timer = setTimeout(giveWay, Math.min(MAX_RECHECK_MS, waitMs / 4))
    }
    this.#timer = setTimeout(giveWay, waitMs)
  }

  #endExceeding(): void {
    clearTimeout(this.#timer)
    if (this.#mayExceed) this.#budget.excessPermit.release(this.#caller, 1)
    this.#mayExceed = false
  }
}

function busy(): ApiError {
  return new ApiError('unavailable', 'the server is busy with other requests; retry this one', {
    retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
  })
}
