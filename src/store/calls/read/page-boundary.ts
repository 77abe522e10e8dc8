import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { fromAllVersions } from '../../query/scope.ts'
import { and, moment, type Sql, sql, statementKey } from '../../query/sql.ts'

/** Time order of calls, positions in it, and boundaries of pages. */

export type Direction = 'asc' | 'desc'

/** The order of the sort key, in either direction. */
export function orderByTime(direction: Direction): Sql {
  return direction === 'asc' ? sql`ORDER BY started_at, id` : sql`ORDER BY started_at DESC, id DESC`
}

/** The position after which a page starts: after a call, or without an id after all calls of that time. */
export interface AfterPosition {
  /** Microseconds. */
  readonly started: Micros | string
  readonly id?: string
}

/** The extra bound on the time alone is for the primary index, which does not use tuples. */
export function isAfter({ id, started }: AfterPosition, direction: Direction): Sql {
  const at = moment(BigInt(started))
  if (id === undefined) return direction === 'asc' ? sql`started_at > ${at}` : sql`started_at < ${at}`
  return direction === 'asc'
    ? sql`started_at >= ${at} AND (started_at, id) > (${at}, ${id})`
    : sql`started_at <= ${at} AND (started_at, id) < (${at}, ${id})`
}

const MAX_BOUNDARIES = 1_000
const BOUNDARY_MS = 30_000
/** Shorter, because a scan without a boundary reads all calls that have arrived since. */
const NO_BOUNDARY_MS = 5_000

/**
 * Finds boundaries, so that a scan can be limited to about that many calls. They are remembered for a while: any boundary
 * is correct, because scans continue after it, and calls that arrive in the meantime only make the first scan longer.
 */
export class PageBoundaries {
  readonly #db: Database
  readonly #now: () => number
  readonly #found = new BoundedMap<
    string,
    { readonly started: Micros | undefined; readonly untilMs: number }
  >(MAX_BOUNDARIES)

  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db
    this.#now = now
  }

  /**
   * The start time of the call that is `calls` positions after the first; undefined if there are fewer. All versions of a
   * call are counted, which is close enough. It reads one narrow column in key order.
   */
  async find(
    project_id: string,
    conditions: readonly Sql[],
    direction: Direction,
    calls: number,
  ): Promise<Micros | undefined> {
    const statement = selectBoundary(project_id, conditions, direction, calls)
    const key = statementKey(statement)
    const known = this.#found.get(key)
    if (known !== undefined && known.untilMs > this.#now()) return known.started
    const row = await this.#db.first<{ started: string }>(statement, { name: 'page boundary', kind: 'list' })
    const started = row === undefined ? undefined : BigInt(row.started)
    this.#found.set(key, {
      started,
      untilMs: this.#now() + (started === undefined ? NO_BOUNDARY_MS : BOUNDARY_MS),
    })
    return started
  }
}

export function selectBoundary(
  project_id: string,
  conditions: readonly Sql[],
  direction: Direction,
  calls: number,
): Sql {
  const order = direction === 'asc' ? sql`started_at` : sql`started_at DESC`
  return sql`SELECT toUnixTimestamp64Micro(started_at) AS started
${fromAllVersions(project_id, 'calls')} AND ${and(conditions)}
ORDER BY ${order} LIMIT 1 OFFSET ${calls}`
}
