import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { readResponding, serverHost } from '../database/every-server.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { fromAllProjects } from '../query/scope.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'

/**
 * Gives the disk space of deleted calls back. A lightweight DELETE only marks rows, at a fraction of the cost of rewriting
 * the part. ClickHouse removes marked rows when it merges the part, which for a large old one may be never.
 */

/** A partition is rewritten when this share of its rows is marked. */
const MARKED_SHARE = 0.2

/** `minShare` 0: all partitions with marked rows. */
export async function reclaimDeleted(
  db: Database,
  renew: RenewLease,
  minShare = MARKED_SHARE,
): Promise<void> {
  for (const shard of db.shards) {
    const rows = await shard.rows<{ partition_id: string; total: string; marked: string }>(selectMarkedRows, {
      name: 'marked rows',
      kind: 'export',
    })
    const full = rows.filter(
      ({ marked, total }) => Number(marked) > 0 && Number(marked) >= minShare * Number(total),
    )
    for (const { partition_id } of full) {
      await shard.command(applyDeletedMask(partition_id), 'reclaim deleted calls', { isAsync: true })
      await waitForReclaims(shard, renew)
    }
  }
}

/** The same at once for all partitions of all tables. */
export async function reclaimTables(db: Database, renew: RenewLease): Promise<void> {
  for (const shard of db.shards) {
    const tables = await shard.rows<{ name: string }>(selectMarkedTables, {
      name: 'marked tables',
      kind: 'point',
    })
    for (const { name } of tables) {
      const statement = sql`ALTER TABLE ${identifier(name)} APPLY DELETED MASK`
      await shard.command(statement, 'reclaim deleted rows', { isAsync: true })
      await waitForReclaims(shard, renew)
    }
  }
}

export const selectMarkedTables: Sql = sql`SELECT DISTINCT table AS name FROM system.parts
WHERE database = currentDatabase() AND active AND has_lightweight_delete ORDER BY name`

async function waitForReclaims(shard: Database, renew: RenewLease): Promise<void> {
  for (;;) {
    const [state] = await shard.rows<{ running: string }>(selectReclaims, {
      name: 'mutation state',
      kind: 'point',
    })
    if (state?.running === '0') return
    await renew()
    await sleep(POLL_MS)
  }
}

export interface ReplacedParts {
  readonly parts: number
  /** Servers of a cluster that did not respond. */
  readonly serversNotChecked: readonly string[]
}

/** Parts of all servers that were or will be replaced, but that ClickHouse has not removed from disk yet. */
export async function countReplacedParts(db: Database): Promise<ReplacedParts> {
  const rows = await readResponding(db, (server) =>
    server.rows<{ parts: string }>(selectReplacedParts, { name: 'replaced parts', kind: 'point' }),
  )
  const checked = new Set(rows.map(({ server }) => server))
  const hosts =
    db.everyServer.length === 1 ? [] : db.everyServer.map(({ settings }) => serverHost(settings.url))
  return {
    parts: rows.reduce((sum, { parts }) => sum + Number(parts), 0),
    serversNotChecked: hosts.filter((host) => !checked.has(host)),
  }
}

/** A replica may still have to do what another one has done. */
export const selectReplacedParts: Sql = sql`SELECT (SELECT count() FROM system.parts WHERE database = currentDatabase() AND NOT active)
  + (SELECT sum(parts_to_do) FROM system.mutations WHERE database = currentDatabase() AND NOT is_done AND position(command, 'DELETE') > 0) AS parts`

const POLL_MS = 100

/** By partition. The masks are narrow columns. */
export const selectMarkedRows: Sql = sql`SELECT _partition_id AS partition_id, count() AS total, countIf(_row_exists = 0) AS marked
${fromAllProjects('calls')} WHERE _partition_id IN (SELECT partition_id FROM system.parts
  WHERE database = currentDatabase() AND table = 'calls' AND active AND has_lightweight_delete)
GROUP BY partition_id ORDER BY partition_id SETTINGS apply_deleted_mask = 0`

export function applyDeletedMask(partition_id: string): Sql {
  return sql`ALTER TABLE calls APPLY DELETED MASK IN PARTITION ID ${partition_id}`
}

export const selectReclaims: Sql = sql`SELECT count() AS running FROM system.mutations
WHERE database = currentDatabase() AND NOT is_done AND position(command, 'APPLY DELETED MASK') > 0`
