/**
 * Decides which shard has a call whose id has several candidates (placement.ts). Normally one candidate has it. If
 * concurrent writers stored it on two, all its records are moved to the first candidate, and the others are marked. See
 * docs/decisions/0020.
 */

/** What a candidate has of a call. `moved`: its records were moved to the first candidate. */
export type Presence = 'absent' | 'present' | 'moved'

export interface CallHome {
  /** The index of the shard on which records of the call are stored. */
  readonly shard: number
  /** Whether records on other candidates must be moved there. */
  readonly isSplit: boolean
}

/** `presences` has an entry for each candidate. */
export function findHome(
  candidates: readonly number[],
  presences: readonly Presence[],
  shardOfNewCall: number,
): CallHome {
  const [first = shardOfNewCall] = candidates
  const holders = candidates.filter((_, index) => presences[index] === 'present')
  const [only, ...others] = holders
  // The candidates are not read at the same moment: while a call moves, its new shard may seem to lack it.
  if (others.length > 0 || presences.includes('moved'))
    return { shard: first, isSplit: holders.some((shard) => shard !== first) }
  return { shard: only ?? shardOfNewCall, isSplit: false }
}
