import type { Micros } from '../time/time.ts'

/**
 * Leases on review queue items, computed from an append-only log of claims. A claim is granted if the item is free
 * at the claim's time or already held by the same user, whose lease is then extended; any other claim has no
 * effect.
 *
 * There is no read-modify-write, so no update can be lost: twenty users who append concurrently all read the log
 * back and find the same first claim. This requires that no row ever appears before a row that was already read.
 * Timestamps do not guarantee it (an insert that started first may become visible last), ClickHouse's block numbers
 * do.
 */
export interface Claim {
  readonly user_id: string
  readonly at: Micros
  /** End of the lease; at or before `at` releases the item. */
  readonly until: Micros
}

export interface Holder {
  readonly user_id: string
  readonly until: Micros
}

/** The current holder. `claims` are those of one item, in log order. */
export function currentHolder(claims: Iterable<Claim>, now: Micros): Holder | undefined {
  let holder: Holder | undefined
  for (const { user_id, at, until } of claims) {
    const isFree = holder === undefined || holder.until <= at
    if (isFree || holder?.user_id === user_id) holder = { user_id, until }
  }
  return holder !== undefined && holder.until > now ? holder : undefined
}
