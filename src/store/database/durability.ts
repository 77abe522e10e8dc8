import type { ClickHouseSettings } from '@clickhouse/client'
import type { Database } from './database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * What an acknowledged write survives. `process`: the end of any process, also by `kill -9`. `power`: that of the
 * machine. `quorum`: the loss of a replica. docs/durability.md has what each costs.
 */
export const DURABILITIES = ['process', 'power', 'quorum'] as const
export type Durability = (typeof DURABILITIES)[number]

/**
 * Settings of the tables, which are the only place where the engine has them. An inserted part and its directory are
 * on the disk before the insert is acknowledged, and a merged one before the parts it was made from are removed: the
 * built-in engine removes them at once, others after eight minutes.
 */
const FSYNC: Readonly<Record<string, string>> = {
  fsync_after_insert: '1',
  fsync_part_directory: '1',
  min_rows_to_fsync_after_merge: '1',
}

/** How long replicas may take to confirm; shorter than a request is held, so that it is tried again. */
const QUORUM_TIMEOUT_MS = 10_000

/**
 * Plain tables must not look for copies of inserts: the engine notes that it has a block before it has it, and killed
 * in between it would take our next attempt for a copy of what it never stored (docs/decisions/0011). Off is what the
 * engine does by itself, unless an administrator has set it for all tables.
 */
const WINDOW = 'non_replicated_deduplication_window'

/** What an insert carries. `token` is the same for every attempt at it; rows are their own identity everywhere else. */
export function insertSettings(durability: Durability, token: string): ClickHouseSettings {
  if (durability !== 'quorum') return {}
  return {
    insert_quorum: 'auto',
    insert_quorum_parallel: 1,
    insert_quorum_timeout: QUORUM_TIMEOUT_MS,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    // Otherwise what an attempt that broke off left out in a view is never made up for.
    deduplicate_blocks_in_dependent_materialized_views: 1,
  }
}

interface TableRow {
  readonly name: string
  readonly engine: string
  /** `ReplacingMergeTree ORDER BY … SETTINGS a = 1, b = 2` */
  readonly engine_full: string
  /** Of tables that say nothing about it. */
  readonly window: string
}

/**
 * Makes the tables keep the promise, from the next insert on. Only what differs is changed, and nodes that start
 * together make the same change, so they need no lock.
 */
export async function applyDurability(db: Database, durability: Durability): Promise<void> {
  const tables = await db.rows<TableRow>(selectTables, { name: 'durability tables', kind: 'point' })
  if (durability === 'quorum') requireReplicas(tables)
  await Promise.all(
    tables.map(async (table) => {
      const change = changeOf(table, durability)
      if (change !== undefined) await db.ddl(change)
    }),
  )
}

function changeOf({ name, engine_full, window }: TableRow, durability: Durability): string | undefined {
  // Ours have plain names; whatever else lies in this database is not ours to change.
  if (!/^\w+$/.test(name)) return undefined
  const settings = settingsIn(engine_full)
  const wanted = Object.entries({
    ...(durability === 'power' ? FSYNC : {}),
    ...((settings.get(WINDOW) ?? window) === '0' ? {} : { [WINDOW]: '0' }),
  })
  const changes = wanted.filter(([setting, value]) => settings.get(setting) !== value)
  // Back to what the engine itself says, which may be more.
  const resets = durability === 'power' ? [] : Object.keys(FSYNC).filter((setting) => settings.has(setting))
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

function settingsIn(engine_full: string): Map<string, string> {
  const text = /\bSETTINGS (.*)$/s.exec(engine_full)?.[1] ?? ''
  return new Map(Array.from(text.matchAll(/(\w+) = ([^,]+)/g), ([, name = '', value = '']) => [name, value]))
}

function requireReplicas(tables: readonly TableRow[]): void {
  const plain = tables.find(({ engine }) => !/^(Replicated|Shared)/.test(engine))
  if (plain === undefined) return
  throw new Error(
    `HEDDLE_DURABILITY=quorum needs replicated tables, and ${plain.name} is a ${plain.engine}: there is no replica that could confirm a write; use "power" on one server`,
  )
}
