import { type ClickHouseAccess, query } from './backup/checksums.ts'

/**
 * Makes a table store its texts as they are, so that a search for bytes finds them in files and objects, and lets ClickHouse
 * remove replaced parts within a second. Before anything is written: existing parts would keep their compression.
 */
export async function storeUncompressed(access: ClickHouseAccess, table: string): Promise<void> {
  const columns = await query<{ name: string }>(
    access,
    `SELECT name FROM system.columns WHERE database = 'heddle' AND table = '${table}' AND type LIKE '%String%'`,
  )
  const changes = columns.map(({ name }) => `MODIFY COLUMN ${name} CODEC(NONE)`)
  if (changes.length > 0) await query(access, `ALTER TABLE heddle.${table} ${changes.join(', ')}`)
  // An idle ClickHouse looks for replaced parts every five minutes.
  const cleanup =
    'cleanup_delay_period = 1, max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0'
  await query(access, `ALTER TABLE heddle.${table} MODIFY SETTING ${cleanup}`)
}
