/**
 * A queue that is taken from by turns: each key has a lane of its own, and a key that floods waits behind itself.
 * Deficit round robin: every turn credits a lane with a quantum of bytes, and it gives what its credit pays for; what
 * is left is kept for its next turn, so that lanes with large items and lanes with small ones get the same bytes.
 */
export interface Takings {
  /** At most so many in one go; of the first item no less than the whole. */
  readonly count: number
  readonly bytes: number
}

export interface Weight {
  readonly bytes: number
  /** What `Takings.count` counts, such as rows; 1 if not given. */
  readonly count?: number
}

interface Entry<T> {
  readonly item: T
  readonly bytes: number
  readonly count: number
}

interface Lane<T> {
  entries: Entry<T>[]
  /** Entries before this one are gone. */
  first: number
  bytes: number
  credit: number
  /** Its turn was cut short: it goes on without another quantum. */
  isMidTurn: boolean
}

export class FairQueue<T> {
  readonly #quantumBytes: number
  /** In the order of their turns. */
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

  /** How many keys wait. */
  get keys(): number {
    return this.#lanes.size
  }

  bytesOf(key: string): number {
    return this.#lanes.get(key)?.bytes ?? 0
  }

  push(key: string, item: T, { bytes, count = 1 }: Weight): void {
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = { entries: [], first: 0, bytes: 0, credit: 0, isMidTurn: false }
      this.#lanes.set(key, lane)
    }
    lane.entries.push({ item, bytes, count })
    lane.bytes += bytes
    this.#bytes += bytes
    this.#size++
  }

  /**
   * The next ones, in fair order. While several keys wait each has one turn in a take, so that what is taken stays
   * small and soon done with; a key that is alone gives as much as may be taken. Keys that are `held` are passed over.
   */
  take(limits: Takings, isHeld: (key: string) => boolean = () => false): T[] {
    const taken = new Taken<T>(limits)
    const open = [...this.#lanes.keys()].filter((key) => !isHeld(key))
    const isAlone = open.length === 1
    // Large items may need several rounds of credit before the first of them is paid for.
    while (open.length > 0 && taken.items.length === 0) {
      for (const key of open) {
        if (!this.#turn(key, taken, isAlone)) return taken.items
      }
    }
    return taken.items
  }

  /** False if nothing more can be taken. */
  #turn(key: string, taken: Taken<T>, isAlone: boolean): boolean {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return true
    if (!lane.isMidTurn) lane.credit += this.#quantumBytes
    lane.isMidTurn = false
    for (;;) {
      const entry = lane.entries[lane.first]
      if (entry === undefined) {
        this.#lanes.delete(key)
        return true
      }
      if (!isAlone && entry.bytes > lane.credit) {
        // To the end of the line.
        this.#lanes.delete(key)
        this.#lanes.set(key, lane)
        return true
      }
      if (!taken.fits(entry)) {
        lane.isMidTurn = !isAlone
        if (isAlone) lane.credit = 0
        return false
      }
      taken.add(entry)
      lane.credit = Math.max(0, lane.credit - entry.bytes)
      this.#shift(lane, entry)
    }
  }

  #shift(lane: Lane<T>, entry: Entry<T>): void {
    lane.first++
    lane.bytes -= entry.bytes
    this.#bytes -= entry.bytes
    this.#size--
    // Now and then, not each time: moving the rest along is what makes arrays slow queues.
    if (lane.first < 1024) return
    lane.entries = lane.entries.slice(lane.first)
    lane.first = 0
  }
}

class Taken<T> {
  readonly items: T[] = []
  readonly #limits: Takings
  #bytes = 0
  #count = 0

  constructor(limits: Takings) {
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
