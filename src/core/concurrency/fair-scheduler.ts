/**
 * A weighted fair scheduler: grants shares of a fixed capacity, which holders give back. Each key has a waiting
 * lane and lanes are served round robin, so that a key with many waiters delays only itself. A key may hold only
 * part of the capacity, so that some is left for others.
 *
 * A waiter that does not fit into the free capacity blocks those after it, so that heavy ones do not starve. A
 * waiter whose key is at its limit is skipped. Anything that is too heavy for a limit is granted when nothing else
 * is held.
 */
export interface FairSchedulerOptions {
  readonly capacity: number
  readonly maxPerKey: number
  /** Beyond these `wait` throws immediately. */
  readonly maxWaiting: number
  readonly maxWaitingPerKey: number
  readonly waitMs: number
  /** The error for a full queue and for a timeout. */
  readonly rejection: (key: string) => Error
}

export interface WaitOptions {
  /** Served before all lanes, in FIFO order and without the limits of its key: for holders that need more. */
  readonly isPriority?: boolean
  /** Called synchronously with the grant, before anyone can observe the promise. */
  readonly onGrant?: () => void
  readonly signal?: AbortSignal | undefined
}

/** A place in the queue. */
export interface Wait {
  readonly granted: Promise<void>
  /** Leaves the queue and rejects `granted`. No effect once granted. */
  cancel(reason: Error): void
}

interface Waiter {
  readonly key: string
  readonly weight: number
  readonly isPriority: boolean
  readonly grant: () => void
}

export class FairScheduler {
  readonly #options: FairSchedulerOptions
  /** Waiters by key, in round-robin order. */
  readonly #lanes = new Map<string, Waiter[]>()
  readonly #priority: Waiter[] = []
  readonly #heldBy = new Map<string, number>()
  #held = 0
  #waiting = 0

  constructor(options: FairSchedulerOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  heldBy(key: string): number {
    return this.#heldBy.get(key) ?? 0
  }

  /** Grants immediately, without allocating, if that overtakes no waiter. */
  tryAcquire(key: string, weight: number, isPriority = false): boolean {
    if (!this.#fitsCapacity(weight)) return false
    if (!isPriority && !this.#fitsKey(key, weight)) return false
    if (this.#waiting > 0 && !this.#isNext(key, isPriority)) return false
    this.#take(key, weight)
    return true
  }

  /** Waits for a grant. Throws if the queue is full. Call `tryAcquire` first: it needs no promise and no timer. */
  wait(key: string, weight: number, { isPriority = false, onGrant, signal }: WaitOptions = {}): Wait {
    const { maxWaiting, maxWaitingPerKey, waitMs, rejection } = this.#options
    if (!isPriority && (this.#waiting >= maxWaiting || this.#laneLength(key) >= maxWaitingPerKey))
      throw rejection(key)
    let cancel: Wait['cancel'] = () => {}
    const granted = new Promise<void>((resolve, reject) => {
      let isWaiting = true
      const leave = (): void => {
        isWaiting = false
        this.#waiting--
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        key,
        weight,
        isPriority,
        grant: () => {
          leave()
          this.#take(key, weight)
          onGrant?.()
          resolve()
        },
      }
      cancel = (reason) => {
        if (!isWaiting) return
        this.#remove(waiter)
        leave()
        reject(reason)
        // It may have blocked those after it.
        this.#admit()
      }
      const onAbort = (): void => cancel(abortError(signal))
      const timer = setTimeout(() => cancel(rejection(key)), waitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting++
      this.#enqueue(waiter)
      if (signal?.aborted === true) onAbort()
      else this.#admit()
    })
    return { granted, cancel }
  }

  /** Gives back what was granted. */
  release(key: string, weight: number): void {
    this.#held -= weight
    const rest = this.heldBy(key) - weight
    if (rest > 0) this.#heldBy.set(key, rest)
    else this.#heldBy.delete(key)
    this.#admit()
  }

  #take(key: string, weight: number): void {
    this.#held += weight
    this.#heldBy.set(key, this.heldBy(key) + weight)
  }

  #fitsCapacity(weight: number): boolean {
    return this.#held === 0 || this.#held + weight <= this.#options.capacity
  }

  #fitsKey(key: string, weight: number): boolean {
    const held = this.heldBy(key)
    return held === 0 || held + weight <= this.#options.maxPerKey
  }

  /** Whether a newcomer would be served before everyone who waits: all of them are at the limit of their key. */
  #isNext(key: string, isPriority: boolean): boolean {
    if (this.#priority.length > 0) return false
    return isPriority || (!this.#lanes.has(key) && this.#nextInLanes() === undefined)
  }

  /** Grants to the waiters that fit now. */
  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!this.#fitsCapacity(next.weight)) return
      this.#remove(next)
      if (!next.isPriority) this.#rotate(next.key)
      next.grant()
    }
  }

  #next(): Waiter | undefined {
    return this.#priority[0] ?? this.#nextInLanes()
  }

  /** The first waiter of the first lane whose key is below its limit. */
  #nextInLanes(): Waiter | undefined {
    for (const [first] of this.#lanes.values()) {
      if (first !== undefined && this.#fitsKey(first.key, first.weight)) return first
    }
    return undefined
  }

  #laneLength(key: string): number {
    return this.#lanes.get(key)?.length ?? 0
  }

  #enqueue(waiter: Waiter): void {
    if (waiter.isPriority) {
      this.#priority.push(waiter)
      return
    }
    const lane = this.#lanes.get(waiter.key)
    if (lane === undefined) this.#lanes.set(waiter.key, [waiter])
    else lane.push(waiter)
  }

  #remove(waiter: Waiter): void {
    const lane = waiter.isPriority ? this.#priority : this.#lanes.get(waiter.key)
    lane?.splice(lane.indexOf(waiter), 1)
    if (lane?.length === 0 && !waiter.isPriority) this.#lanes.delete(waiter.key)
  }

  /** Moves a key to the end of the round-robin order. */
  #rotate(key: string): void {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return
    this.#lanes.delete(key)
    this.#lanes.set(key, lane)
  }
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('the wait was aborted')
}
