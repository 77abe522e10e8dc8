import type { ActivityRank } from './read-groups.ts'

const RANKS: readonly ActivityRank[] = ['count', 'errors', 'total_tokens', 'cost']

export function readRank(text: string | undefined): ActivityRank {
  return RANKS.find((rank) => rank === text) ?? 'count'
}
