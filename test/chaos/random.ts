/** Numbers that a seed decides. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 (included) to 1 (not included). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return mix(this.#state) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.next() * of.length)]!
  }

  /** One of these, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(of: readonly T[]): T {
    let left = this.next() * of.reduce((sum, each) => sum + each.weight, 0)
    for (const each of of) {
      left -= each.weight
      if (left < 0) return each
    }
    return of.at(-1)!
  }
}

/** Spreads a number over 32 bits, always alike. */
export function mix(n: number): number {
  let h = n | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
