/**
 * A weighted fair scheduler: grants shares of a fixed capacity, which holders give back. Each key has a waiting
 * lane and lanes are served round robin, so that a key with many waiters delays only itself. A key may hold only
 * part of the capacity, so that some is left for others.
 *
 * Grants may also belong to a group with a limit of its own, which all keys share: reads belong to a user (the key)
 * and to a project (the group). Within a lane, groups are served round robin too.
 *
 * A waiter that does not fit into the free capacity blocks those after it, so that heavy ones do not starve. A
 * waiter whose key or group is at its limit is skipped. Anything that is too heavy for a limit is granted when nothing
 * else is held.
 */
export interface FairSchedulerOptions {
  readonly capacity: number
  readonly maxPerKey: number
  /** Default unlimited. */
  readonly maxPerGroup?: number
  /** Beyond these `wait` throws immediately. */
  readonly maxWaiting: number
  readonly maxWaitingPerKey: number
  readonly waitMs: number
  /** The error for a full queue and for a timeout. */
  readonly rejection: (key: string, group: string) => Error
}

export interface GrantOptions {
  /** Served before all lanes, in FIFO order: for holders that need more. The limits of its key and group apply. */
  readonly isPriority?: boolean
  readonly group?: string
}

export interface WaitOptions extends GrantOptions {
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
  readonly group: string
  readonly weight: number
  readonly isPriority: boolean
  readonly grant: () => void
}

export class FairScheduler {
  readonly #options: FairSchedulerOptions
  /** Waiters by key and group, both in round-robin order. */
  readonly #lanes = new Map<string, Map<string, Waiter[]>>()
  readonly #priority: Waiter[] = []
  readonly #heldBy = new Map<string, number>()
  readonly #heldByGroup = new Map<string, number>()
  #held = 0
  #waiting = 0

  constructor(options: FairSchedulerOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Of all keys. */
  get held(): number {
    return this.#held
  }

  heldBy(key: string): number {
    return this.#heldBy.get(key) ?? 0
  }

  heldByGroup(group: string): number {
    return this.#heldByGroup.get(group) ?? 0
  }

  /** Grants immediately if that overtakes no waiter. */
  tryAcquire(
    key: string,
    weight: number,
    { isPriority = false, group = '' }: GrantOptions = NO_OPTIONS,
  ): boolean {
    if (!this.#fitsCapacity(weight)) return false
    if (!this.#fitsLimits(key, group, weight)) return false
    if (this.#waiting > 0 && !this.#isNext(key, group, isPriority)) return false
    this.#take(key, group, weight)
    return true
  }

  /** Waits for a grant. Throws if the queue is full. Call `tryAcquire` first: it needs no promise and no timer. */
  wait(key: string, weight: number, options: WaitOptions = NO_OPTIONS): Wait {
    const { isPriority = false, group = '', onGrant, signal } = options
    const { maxWaiting, maxWaitingPerKey, waitMs, rejection } = this.#options
    if (!isPriority && (this.#waiting >= maxWaiting || this.#laneLength(key) >= maxWaitingPerKey))
      throw rejection(key, group)
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
        group,
        weight,
        isPriority,
        grant: () => {
          leave()
          this.#take(key, group, weight)
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
      const timer = setTimeout(() => cancel(rejection(key, group)), waitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting++
      this.#enqueue(waiter)
      if (signal?.aborted === true) onAbort()
      else this.#admit()
    })
    return { granted, cancel }
  }

  /** Gives back what was granted. */
  release(key: string, weight: number, group = ''): void {
    this.#held -= weight
    add(this.#heldBy, key, -weight)
    if (group !== '') add(this.#heldByGroup, group, -weight)
    this.#admit()
  }

  #take(key: string, group: string, weight: number): void {
    this.#held += weight
    add(this.#heldBy, key, weight)
    if (group !== '') add(this.#heldByGroup, group, weight)
  }

  #fitsCapacity(weight: number): boolean {
    return this.#held === 0 || this.#held + weight <= this.#options.capacity
  }

  #fitsLimits(key: string, group: string, weight: number): boolean {
    const { maxPerKey, maxPerGroup = Number.POSITIVE_INFINITY } = this.#options
    return fits(this.heldBy(key), weight, maxPerKey) && fits(this.heldByGroup(group), weight, maxPerGroup)
  }

  /** Whether a newcomer would be served before everyone who waits: all of them are at the limit of their key or group. */
  #isNext(key: string, group: string, isPriority: boolean): boolean {
    if (this.#nextPriority() !== undefined) return false
    return isPriority || (this.#lanes.get(key)?.has(group) !== true && this.#nextInLanes() === undefined)
  }

  /** Grants to the waiters that fit now. */
  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!this.#fitsCapacity(next.weight)) return
      this.#remove(next)
      if (!next.isPriority) this.#rotate(next)
      next.grant()
    }
  }

  #next(): Waiter | undefined {
    return this.#nextPriority() ?? this.#nextInLanes()
  }

  #nextPriority(): Waiter | undefined {
    return this.#priority.find(({ key, group, weight }) => this.#fitsLimits(key, group, weight))
  }

  /** The first waiter that is below its limits, in round-robin order. */
  #nextInLanes(): Waiter | undefined {
    for (const lane of this.#lanes.values()) {
      for (const [first] of lane.values()) {
        if (first !== undefined && this.#fitsLimits(first.key, first.group, first.weight)) return first
      }
    }
    return undefined
  }

  #laneLength(key: string): number {
    let length = 0
    for (const waiters of this.#lanes.get(key)?.values() ?? []) length += waiters.length
    return length
  }

  #enqueue(waiter: Waiter): void {
    if (waiter.isPriority) this.#priority.push(waiter)
    else getOrAdd(getOrAdd(this.#lanes, waiter.key, newLane), waiter.group, newQueue).push(waiter)
  }

  #remove(waiter: Waiter): void {
    const lane = this.#lanes.get(waiter.key)
    const waiters = waiter.isPriority ? this.#priority : lane?.get(waiter.group)
    waiters?.splice(waiters.indexOf(waiter), 1)
    if (waiter.isPriority || waiters?.length !== 0) return
    lane?.delete(waiter.group)
    if (lane?.size === 0) this.#lanes.delete(waiter.key)
  }

  /** Moves a key, and the group within its lane, to the end of the round-robin order. */
  #rotate({ key, group }: Waiter): void {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return
    moveToEnd(this.#lanes, key)
    moveToEnd(lane, group)
  }
}

const NO_OPTIONS = {}

function newLane(): Map<string, Waiter[]> {
  return new Map()
}

function newQueue(): Waiter[] {
  return []
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = create()))
  return value
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}

function add(amounts: Map<string, number>, key: string, amount: number): void {
  const sum = (amounts.get(key) ?? 0) + amount
  if (sum > 0) amounts.set(key, sum)
  else amounts.delete(key)
}

function fits(held: number, weight: number, max: number): boolean {
  return held === 0 || held + weight <= max
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('the wait was aborted')
}
