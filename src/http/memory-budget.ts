import { ApiError } from '../contract/api-error.ts'
import { OVERLOAD_RETRY_SECONDS } from './limits.ts'

/**
 * Bytes of bodies held in memory, over all requests. Beyond the limit newcomers wait for room before any of their
 * body is read, by turns between callers; whoever finds none in time is sent away, unharmed. So memory stays bounded
 * whatever arrives, and one caller who floods does not keep others out.
 */
export interface MemoryBudgetOptions {
  readonly limitBytes: number
  /** How long a request may wait for room. */
  readonly waitMs: number
}

/** What a request costs beside its body: socket, headers, objects. Small bodies would seem free otherwise. */
const REQUEST_BYTES = 16 * 1024

/** One caller may hold this much of the room, so that there is always some for others. */
const MOST_OF_ONE = 0.75

/** Those who wait hold a socket and what the kernel read ahead for it; beyond this many they are sent away at once. */
const MAX_WAITING = 1_000
const MAX_WAITING_OF_ONE = 500

interface Waiter {
  readonly caller: string
  readonly bytes: number
  readonly go: () => void
}

/** Of one request: whether it has gone, and how it stops to wait. An AbortController costs 50 µs a request. */
interface Line {
  hasLeft: boolean
  abandon: (() => void) | undefined
}

export class MemoryBudget {
  readonly #options: MemoryBudgetOptions
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  /** Requests that hold something already come first: what they hold is free only when they are done. */
  #growing: Waiter[] = []
  readonly #heldBy = new Map<string, number>()
  #held = 0
  #bytes = 0
  #requests = 0
  #waiters = 0

  constructor(options: MemoryBudgetOptions) {
    this.#options = options
  }

  /** Of bodies, as they are or as they were announced. */
  get bytes(): number {
    return this.#bytes
  }

  get requests(): number {
    return this.#requests
  }

  /** Requests that wait for room. */
  get waiting(): number {
    return this.#waiters
  }

  enter(): MemoryLease {
    this.#requests++
    let caller = ''
    let bodyBytes = 0
    let held = 0
    const line: Line = { hasLeft: false, abandon: undefined }
    return {
      takeAs: (name, bytes) => {
        caller = name
        return this.#take(caller, bytes, held > 0, line, (cost) => {
          held += cost
          bodyBytes += bytes
        })
      },
      take(bytes) {
        return this.takeAs(caller, bytes)
      },
      leave: () => {
        if (line.hasLeft) return
        line.hasLeft = true
        this.#requests--
        line.abandon?.()
        this.#release(caller, bodyBytes, held)
      },
    }
  }

  /** Undefined, so nothing to wait for, if there is room. */
  #take(
    caller: string,
    bytes: number,
    isGrowing: boolean,
    line: Line,
    granted: (cost: number) => void,
  ): Promise<void> | undefined {
    if (line.hasLeft) return undefined
    const cost = isGrowing ? bytes : bytes + REQUEST_BYTES
    const grant = (): void => {
      this.#held += cost
      this.#bytes += bytes
      this.#heldBy.set(caller, (this.#heldBy.get(caller) ?? 0) + cost)
      granted(cost)
    }
    const isFirst = isGrowing ? this.#growing.length === 0 : this.#waiters === 0
    if (isFirst && this.#fits(caller, cost, isGrowing)) {
      grant()
      return undefined
    }
    const others = this.#waiting.get(caller) ?? []
    if (!isGrowing && (this.#waiters >= MAX_WAITING || others.length >= MAX_WAITING_OF_ONE)) throw busy()
    return new Promise((settle, refuse) => {
      const leaveLine = (): void => {
        clearTimeout(timer)
        line.abandon = undefined
        this.#waiters--
      }
      const waiter: Waiter = {
        caller,
        bytes: cost,
        go: () => {
          leaveLine()
          grant()
          settle()
        },
      }
      const abandon = (): void => {
        this.#remove(waiter, isGrowing)
        leaveLine()
        refuse(busy())
        this.#admit()
      }
      const timer = setTimeout(abandon, this.#options.waitMs)
      line.abandon = abandon
      this.#waiters++
      if (isGrowing) this.#growing.push(waiter)
      else this.#waiting.set(caller, [...others, waiter])
      // Others may wait for room that is too small for them, or for their own share.
      this.#admit()
    })
  }

  #release(caller: string, bytes: number, cost: number): void {
    if (cost === 0) return
    this.#held -= cost
    this.#bytes -= bytes
    const rest = (this.#heldBy.get(caller) ?? 0) - cost
    if (rest > 0) this.#heldBy.set(caller, rest)
    else this.#heldBy.delete(caller)
    this.#admit()
  }

  #fits(caller: string, cost: number, isGrowing: boolean): boolean {
    const { limitBytes } = this.#options
    // Whatever the limits say, one request at a time can always be served.
    if (this.#held > 0 && this.#held + cost > limitBytes) return false
    const held = this.#heldBy.get(caller) ?? 0
    return isGrowing || held === 0 || held + cost <= limitBytes * MOST_OF_ONE
  }

  /** Lets in whoever there is room for now. A large one at the head of the line is not overtaken for ever. */
  #admit(): void {
    for (let next = this.#growing[0]; next !== undefined; next = this.#growing[0]) {
      if (!this.#fits(next.caller, next.bytes, true)) return
      this.#growing.shift()
      next.go()
    }
    for (let next = this.#nextTurn(); next !== undefined; next = this.#nextTurn()) {
      if (this.#held > 0 && this.#held + next.bytes > this.#options.limitBytes) return
      this.#remove(next, false)
      // To the end of the line.
      const rest = this.#waiting.get(next.caller)
      this.#waiting.delete(next.caller)
      if (rest !== undefined) this.#waiting.set(next.caller, rest)
      next.go()
    }
  }

  /** The first in line whose caller does not hold its share already. */
  #nextTurn(): Waiter | undefined {
    for (const [first] of this.#waiting.values()) {
      if (first === undefined) continue
      const held = this.#heldBy.get(first.caller) ?? 0
      if (held === 0 || held + first.bytes <= this.#options.limitBytes * MOST_OF_ONE) return first
    }
    return undefined
  }

  #remove(waiter: Waiter, isGrowing: boolean): void {
    if (isGrowing) {
      this.#growing = this.#growing.filter((other) => other !== waiter)
      return
    }
    const rest = (this.#waiting.get(waiter.caller) ?? []).filter((other) => other !== waiter)
    if (rest.length > 0) this.#waiting.set(waiter.caller, rest)
    else this.#waiting.delete(waiter.caller)
  }
}

function busy(): ApiError {
  return new ApiError('unavailable', 'the server is busy with other requests; send this again', {
    retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
  })
}

/** What one request holds. */
export interface MemoryLease {
  /**
   * Room for these bytes of a caller's body: at once (undefined), or when there is some. Throws `unavailable` if there
   * is none in time.
   */
  takeAs(caller: string, bytes: number): Promise<void> | undefined
  /** More for the same caller. */
  take(bytes: number): Promise<void> | undefined
  leave(): void
}
