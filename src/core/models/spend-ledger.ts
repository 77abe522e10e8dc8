import { BoundedMap } from '../concurrency/bounded-map.ts'
import type { Decimal } from '../costs/decimal.ts'

/** Amounts of money are whole numbers of 10^-12 US dollars: the cheapest token costs thousands of them. */
const DIGITS = 12
export const UNITS_PER_DOLLAR = 10n ** BigInt(DIGITS)

/** Rounded up. */
export function toUnits({ digits, scale }: Decimal): bigint {
  if (scale <= DIGITS) return digits * 10n ** BigInt(DIGITS - scale)
  const divisor = 10n ** BigInt(scale - DIGITS)
  return (digits + divisor - 1n) / divisor
}

/** A row of the log of one project and day. */
export interface SpendEntry {
  readonly id: string
  readonly kind: 'reserve' | 'settle'
  readonly amount: bigint
  /** The budget when the amount was reserved. */
  readonly limit: bigint
}

/** Ids of retried inserts come within a minute. */
const MAX_DECISIONS = 50_000

/**
 * What a project has spent on a day, computed from the log of its requests. A reservation counts if it fits into the budget
 * with what is before it in the log, and is refused otherwise. Whoever reads the same log comes to the same result, so no
 * lock and no owner are needed.
 */
export class SpendLedger {
  #settled = 0n
  #reserved = 0n
  readonly #open = new Map<string, bigint>()
  /** By id; an insert that was retried can be there twice, and counts once. */
  readonly #decisions = new BoundedMap<string, boolean>(MAX_DECISIONS)

  get settled(): bigint {
    return this.#settled
  }

  /** Of requests that are running, or whose node was killed. */
  get reserved(): bigint {
    return this.#reserved
  }

  get total(): bigint {
    return this.#settled + this.#reserved
  }

  /** Undefined for a reservation that is not in the log. */
  isGranted(id: string): boolean | undefined {
    return this.#decisions.get(id)
  }

  add({ id, kind, amount, limit }: SpendEntry): void {
    if (kind === 'settle') {
      const reserved = this.#open.get(id)
      if (reserved === undefined) return
      this.#open.delete(id)
      this.#reserved -= reserved
      this.#settled += amount
      return
    }
    if (this.#decisions.get(id) !== undefined) return
    const isGranted = this.total + amount <= limit
    this.#decisions.set(id, isGranted)
    if (!isGranted) return
    this.#open.set(id, amount)
    this.#reserved += amount
  }
}
