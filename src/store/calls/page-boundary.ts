import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromEveryVersion } from '../query/scope.ts'
import { and, moment, type Sql, sql } from '../query/sql.ts'

export type Direction = 'asc' | 'desc'

/** The order that calls are stored in, from either end. */
export function inOrder(direction: Direction): Sql {
  return direction === 'asc' ? sql`ORDER BY started_at, id` : sql`ORDER BY started_at DESC, id DESC`
}

/** Behind a call; without an id, behind all of its time. */
export interface Behind {
  /** Microseconds. */
  readonly started: Micros | string
  readonly id?: string
}

/** The bound on the time alone is for the index, which does not look into pairs. */
export function isBehind({ id, started }: Behind, direction: Direction): Sql {
  const at = moment(BigInt(started))
  if (id === undefined) return direction === 'asc' ? sql`started_at > ${at}` : sql`started_at < ${at}`
  return direction === 'asc'
    ? sql`started_at >= ${at} AND (started_at, id) > (${at}, ${id})`
    : sql`started_at <= ${at} AND (started_at, id) < (${at}, ${id})`
}

/**
 * The time of the call so many behind the first, so that a span can be cut to about as many calls; undefined if there
 * are fewer. Every version of a call counts, which is near enough. It reads one narrow column in the order of the key.
 */
export async function findEdge(
  db: Database,
  project_id: string,
  within: readonly Sql[],
  direction: Direction,
  calls: number,
): Promise<Micros | undefined> {
  const statement = selectEdge(project_id, within, direction, calls)
  const row = await db.first<{ started: string }>(statement, { name: 'edge of a span', kind: 'list' })
  return row === undefined ? undefined : BigInt(row.started)
}

export function selectEdge(
  project_id: string,
  within: readonly Sql[],
  direction: Direction,
  calls: number,
): Sql {
  const order = direction === 'asc' ? sql`started_at` : sql`started_at DESC`
  return sql`SELECT toUnixTimestamp64Micro(started_at) AS started
${fromEveryVersion(project_id, 'calls')} AND ${and(within)}
ORDER BY ${order} LIMIT 1 OFFSET ${calls}`
}
