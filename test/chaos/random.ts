/** A pseudo-random number generator with a seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return mix(this.#state) / 2 ** 32
  }

  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!
  }

  /** Picks an item with a probability proportional to its weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.next() * items.reduce((sum, each) => sum + each.weight, 0)
    for (const each of items) {
      left -= each.weight
      if (left < 0) return each
    }
    return items.at(-1)!
  }
}

/** A deterministic 32-bit hash of a number. */
export function mix(n: number): number {
  let h = n | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
