import { type Sql, sql } from '../query/sql.ts'
import type { Database } from './database.ts'
import type { Durability } from './durability.ts'

/** Applies the durability level to the settings of the tables. */

/**
 * ClickHouse has these settings only per table. An inserted part and its directory are synced to disk before the
 * insert is acknowledged, and a merged part before its source parts are removed. The embedded ClickHouse removes
 * source parts immediately, other servers after eight minutes.
 */
const FSYNC_SETTINGS: Readonly<Record<string, string>> = {
  fsync_after_insert: '1',
  fsync_part_directory: '1',
  min_rows_to_fsync_after_merge: '1',
}

/**
 * Insert deduplication must be off for plain tables. ClickHouse records a block's id before it stores the block: if it
 * is killed in between, it drops the retry as a duplicate of data it never stored (docs/decisions/0011). It is off by
 * default, unless an administrator enabled it for all tables.
 */
const DEDUPLICATION_WINDOW = 'non_replicated_deduplication_window'

interface TableRow {
  readonly name: string
  readonly engine: string
  /** `ReplacingMergeTree ORDER BY … SETTINGS a = 1, b = 2` */
  readonly engine_full: string
  /** The server default, for tables that do not set it. */
  readonly window: string
}

/**
 * Applies the durability level to all tables, effective from the next insert. It changes only settings that differ.
 * Nodes that start together make the same changes, so they need no lock.
 */
export async function applyDurability(db: Database, durability: Durability): Promise<void> {
  const tables = await db.rows<TableRow>(selectTables, { name: 'durability tables', kind: 'point' })
  if (durability === 'quorum') requireReplicatedTables(tables)
  await Promise.all(
    tables.map(async (table) => {
      const change = alterStatement(table, durability)
      if (change !== undefined) await db.ddl(change)
    }),
  )
}

function alterStatement({ name, engine_full, window }: TableRow, durability: Durability): string | undefined {
  // Heddle's tables have plain names; other tables in this database are left alone.
  if (!/^\w+$/.test(name)) return undefined
  const settings = parseTableSettings(engine_full)
  const wanted = Object.entries({
    ...(durability === 'power' ? FSYNC_SETTINGS : {}),
    ...((settings.get(DEDUPLICATION_WINDOW) ?? window) === '0' ? {} : { [DEDUPLICATION_WINDOW]: '0' }),
  })
  const changes = wanted.filter(([setting, value]) => settings.get(setting) !== value)
  // Back to the server default, which may be stricter.
  const resets =
    durability === 'power' ? [] : Object.keys(FSYNC_SETTINGS).filter((setting) => settings.has(setting))
  const commands = [
    ...(changes.length === 0 ? [] : [`MODIFY SETTING ${changes.map((pair) => pair.join(' = ')).join(', ')}`]),
    ...(resets.length === 0 ? [] : [`RESET SETTING ${resets.join(', ')}`]),
  ]
  return commands.length === 0 ? undefined : `ALTER TABLE ${name} ${commands.join(', ')}`
}

export const selectTables: Sql = sql`SELECT name, engine, engine_full,
    (SELECT value FROM system.merge_tree_settings WHERE name = 'non_replicated_deduplication_window') AS window
FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`

function parseTableSettings(engine_full: string): Map<string, string> {
  const text = /\bSETTINGS (.*)$/s.exec(engine_full)?.[1] ?? ''
  return new Map(Array.from(text.matchAll(/(\w+) = ([^,]+)/g), ([, name = '', value = '']) => [name, value]))
}

function requireReplicatedTables(tables: readonly TableRow[]): void {
  const plain = tables.find(({ engine }) => !engine.startsWith('Replicated'))
  if (plain === undefined) return
  throw new Error(
    `HEDDLE_DURABILITY=quorum requires replicated tables, but ${plain.name} is a ${plain.engine}; use "power" on a single server`,
  )
}
