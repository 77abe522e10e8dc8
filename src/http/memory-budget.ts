import { ApiError } from '../contract/api-error.ts'
import { FairScheduler } from '../core/concurrency/fair-scheduler.ts'
import { OVERLOAD_RETRY_SECONDS } from './limits.ts'

/**
 * The memory budget for request bodies, shared by all requests. When it is exhausted, new requests wait for memory
 * before any of their body is read, round-robin between callers; after `waitMs` they are rejected with 503 and nothing
 * of them was stored. So memory stays bounded under any load, and one flooding caller does not starve the others.
 */
export interface MemoryBudgetOptions {
  readonly limitBytes: number
  /** How long a request may wait for memory. */
  readonly waitMs: number
}

/** Cost of a request besides its body: socket, headers, objects. Without it, small bodies would look free. */
const REQUEST_BYTES = 16 * 1024

/** The fraction of the budget that one caller may hold, so that some is always left for others. */
const MAX_CALLER_FRACTION = 0.75

/** A waiting request holds a socket and its kernel buffer; beyond this many, new ones are rejected immediately. */
const MAX_WAITING = 1_000
const MAX_WAITING_PER_CALLER = 500

/** Cancellation of one request's wait. An AbortController would cost 50 µs per request. */
interface WaitState {
  isReleased: boolean
  abandon: (() => void) | undefined
}

export class MemoryBudget {
  /** Weights are bytes. Requests that already hold memory have priority: they free it only when they finish. */
  readonly #scheduler: FairScheduler
  #bytes = 0
  #requests = 0

  constructor({ limitBytes, waitMs }: MemoryBudgetOptions) {
    this.#scheduler = new FairScheduler({
      capacity: limitBytes,
      maxPerKey: limitBytes * MAX_CALLER_FRACTION,
      maxWaiting: MAX_WAITING,
      maxWaitingPerKey: MAX_WAITING_PER_CALLER,
      waitMs,
      rejection: busy,
    })
  }

  /** Bytes of request bodies, by Content-Length or as read. */
  get bytes(): number {
    return this.#bytes
  }

  get requests(): number {
    return this.#requests
  }

  /** Requests waiting for memory. */
  get waiting(): number {
    return this.#scheduler.waiting
  }

  openLease(): MemoryLease {
    this.#requests++
    let caller = ''
    let bodyBytes = 0
    let held = 0
    const state: WaitState = { isReleased: false, abandon: undefined }
    return {
      acquireFor: (name, bytes) => {
        caller = name
        return this.#acquire(caller, bytes, held > 0, state, (cost) => {
          held += cost
          bodyBytes += bytes
        })
      },
      acquire(bytes) {
        return this.acquireFor(caller, bytes)
      },
      release: () => {
        if (state.isReleased) return
        state.isReleased = true
        this.#requests--
        state.abandon?.()
        if (held === 0) return
        this.#bytes -= bodyBytes
        this.#scheduler.release(caller, held)
      },
    }
  }

  /** Returns undefined when there is no need to wait. */
  #acquire(
    caller: string,
    bytes: number,
    isGrowing: boolean,
    state: WaitState,
    granted: (cost: number) => void,
  ): Promise<void> | undefined {
    if (state.isReleased) return undefined
    const cost = isGrowing ? bytes : bytes + REQUEST_BYTES
    const onGrant = (): void => {
      this.#bytes += bytes
      granted(cost)
    }
    if (this.#scheduler.tryAcquire(caller, cost, isGrowing)) {
      onGrant()
      return undefined
    }
    const wait = this.#scheduler.wait(caller, cost, { isPriority: isGrowing, onGrant })
    state.abandon = () => wait.cancel(busy())
    return wait.granted
  }
}

function busy(): ApiError {
  return new ApiError('unavailable', 'the server is busy with other requests; retry this one', {
    retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
  })
}

/** The memory that one request holds. */
export interface MemoryLease {
  /** Acquires memory on behalf of a caller; undefined if granted immediately. Throws `unavailable` after `waitMs`. */
  acquireFor(caller: string, bytes: number): Promise<void> | undefined
  /** Acquires more for the same caller. */
  acquire(bytes: number): Promise<void> | undefined
  release(): void
}
