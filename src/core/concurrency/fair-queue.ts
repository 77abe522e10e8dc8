/**
 * A fair queue of batches: deficit round robin over one lane per key, so that a key with many items delays only
 * itself. Each round credits a lane with a quantum of bytes, and the lane gives the items that its credit covers.
 * Unused credit carries over, so that lanes with large and with small items get the same bytes.
 *
 * FairScheduler is another job: it grants shares of a capacity that holders give back, one waiter at a time. Here
 * items leave for good, and many of them form one batch.
 */
export interface TakeLimits {
  /** Maximum of one batch. The first item is always taken, whatever its size. */
  readonly count: number
  readonly bytes: number
}

export interface ItemSize {
  readonly bytes: number
  /** Units counted by `TakeLimits.count`, such as rows; default 1. */
  readonly count?: number
}

interface Entry<T> {
  readonly item: T
  readonly bytes: number
  readonly count: number
}

interface Lane<T> {
  entries: Entry<T>[]
  /** Index of the first entry that is still queued. */
  first: number
  credit: number
  /** A limit interrupted its round: it continues without another quantum. */
  isMidRound: boolean
}

export class FairQueue<T> {
  readonly #quantumBytes: number
  /** In round-robin order. */
  readonly #lanes = new Map<string, Lane<T>>()
  #bytes = 0
  #size = 0

  constructor(quantumBytes: number) {
    this.#quantumBytes = quantumBytes
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#bytes
  }

  push(key: string, item: T, { bytes, count = 1 }: ItemSize): void {
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = { entries: [], first: 0, credit: 0, isMidRound: false }
      this.#lanes.set(key, lane)
    }
    lane.entries.push({ item, bytes, count })
    this.#bytes += bytes
    this.#size++
  }

  /**
   * Takes the next batch in fair order. While several keys wait, each gets one round per batch, which keeps batches
   * small and short; a single key fills the whole batch.
   */
  take(limits: TakeLimits): T[] {
    const batch = new Batch<T>(limits)
    const open = [...this.#lanes.keys()]
    const isAlone = open.length === 1
    // A large first item may need several rounds of credit.
    while (open.length > 0 && batch.items.length === 0) {
      for (const key of open) {
        if (!this.#round(key, batch, isAlone)) return batch.items
      }
    }
    return batch.items
  }

  /** Returns false if the batch is full. */
  #round(key: string, batch: Batch<T>, isAlone: boolean): boolean {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return true
    if (!lane.isMidRound) lane.credit += this.#quantumBytes
    lane.isMidRound = false
    for (;;) {
      const entry = lane.entries[lane.first]
      if (entry === undefined) {
        this.#lanes.delete(key)
        return true
      }
      if (!isAlone && entry.bytes > lane.credit) {
        // To the end of the round-robin order.
        this.#lanes.delete(key)
        this.#lanes.set(key, lane)
        return true
      }
      if (!batch.fits(entry)) {
        lane.isMidRound = !isAlone
        if (isAlone) lane.credit = 0
        return false
      }
      batch.add(entry)
      lane.credit = Math.max(0, lane.credit - entry.bytes)
      this.#shift(lane, entry)
    }
  }

  #shift(lane: Lane<T>, entry: Entry<T>): void {
    lane.first++
    this.#bytes -= entry.bytes
    this.#size--
    // Compacts now and then: shifting an array on every item is slow.
    if (lane.first < 1024) return
    lane.entries = lane.entries.slice(lane.first)
    lane.first = 0
  }
}

class Batch<T> {
  readonly items: T[] = []
  readonly #limits: TakeLimits
  #bytes = 0
  #count = 0

  constructor(limits: TakeLimits) {
    this.#limits = limits
  }

  fits({ bytes, count }: Entry<T>): boolean {
    if (this.items.length === 0) return true
    return this.#bytes + bytes <= this.#limits.bytes && this.#count + count <= this.#limits.count
  }

  add({ item, bytes, count }: Entry<T>): void {
    this.items.push(item)
    this.#bytes += bytes
    this.#count += count
  }
}
