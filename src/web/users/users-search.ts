import type { ActivityRank } from './read-groups.ts'

/** URL search parameters of the list of end users, and of one end user. */
export interface UsersSearch {
  /** See time/range.ts. */
  range?: string
  /** The measure that ranks the users, most first. */
  rank?: string
}

export function readUsersSearch(search: Readonly<Record<string, unknown>>): UsersSearch {
  const { range, rank } = search
  return {
    ...(typeof range === 'string' && range !== '' ? { range } : {}),
    ...(typeof rank === 'string' && rank !== '' ? { rank } : {}),
  }
}

const RANKS: readonly ActivityRank[] = ['count', 'errors', 'total_tokens', 'cost']

export function readRank(text: string | undefined): ActivityRank {
  return RANKS.find((rank) => rank === text) ?? 'count'
}
