import type { Micros } from '../time/time.ts'

/**
 * Who has an item of a review queue open. Claims are only ever appended, and what they come to follows from their order
 * in the log alone: a claim is granted if the item is free at its time or is held by the same person, who thereby keeps
 * it for longer; any other is refused and changes nothing.
 *
 * Nothing is read, decided and then written, so there is no update to lose: of twenty who append at once each reads the
 * log back and finds the same first one. That needs a log in which nothing ever appears above what a reader has read.
 * Times cannot give that order (of two inserts the one that began first may be seen last, and both would believe to be
 * the earliest), the engine's block numbers can.
 */
export interface Claim {
  readonly user_id: string
  readonly at: Micros
  /** `at` or earlier lets go of it. */
  readonly until: Micros
}

export interface Holder {
  readonly user_id: string
  readonly until: Micros
}

/** `claims` of one item, in the order of the log. */
export function holderOf(claims: Iterable<Claim>, now: Micros): Holder | undefined {
  let holder: Holder | undefined
  for (const { user_id, at, until } of claims) {
    const isFree = holder === undefined || holder.until <= at
    if (isFree || holder?.user_id === user_id) holder = { user_id, until }
  }
  return holder !== undefined && holder.until > now ? holder : undefined
}
