import type { Compose } from './compose.ts'

const TABLES = ['calls', 'call_parts', 'call_ids', 'object_versions', 'feedback'] as const

/** Replicas of a shard must have the same rows; returns sentences about those that do not. */
export async function compareReplicas(compose: Compose): Promise<string[]> {
  const differences: string[] = []
  const byShard = new Map<string, string[]>()
  for (const service of await compose.services('clickhouse-')) {
    const shard = service.replace(/-\d+$/, '')
    byShard.set(shard, [...(byShard.get(shard) ?? []), service])
  }
  for (const table of TABLES) {
    for (const [shard, replicas] of byShard) {
      const contents = new Set<string>()
      for (const replica of replicas) {
        await compose.query(replica, `SYSTEM SYNC REPLICA heddle.${table}`)
        contents.add(
          await compose.query(replica, `SELECT count(), sum(cityHash64(*)) FROM heddle.${table} FINAL`),
        )
      }
      if (contents.size > 1) differences.push(`${table} on ${shard}: ${[...contents].join(' and ')}`)
    }
  }
  return differences
}
