import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { readResponding } from '../database/every-server.ts'
import { listDisks } from '../database/server-state.ts'
import { fromAllProjects } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'

/** The disks of ClickHouse, and the oldest calls on them. */

/** The used share of the fullest local disk of any server that responds, in percent; 0 if there is none. */
export async function readDiskPercent(db: Database): Promise<number> {
  const used = (await readResponding(db, listDisks))
    .filter(({ total_bytes }) => total_bytes > 0)
    .map(({ free_bytes, total_bytes }) => 100 * (1 - free_bytes / total_bytes))
  return Math.max(0, ...used)
}

/** Ends of the days with calls, from the oldest on, up to a time. */
export async function listDaysWithCalls(db: Database, until: Micros, limit: number): Promise<Micros[]> {
  const rows = await db.rows<{ day_end: string }>(selectDaysWithCalls(until, limit), {
    name: 'days with calls',
    kind: 'export',
  })
  return rows.map(({ day_end }) => BigInt(day_end))
}

const DAY_MICROS = 86_400_000_000

export function selectDaysWithCalls(until: Micros, limit: number): Sql {
  return sql`SELECT (intDiv(toUnixTimestamp64Micro(started_at), ${DAY_MICROS}) + 1) * ${DAY_MICROS} AS day_end
${fromAllProjects('calls')} WHERE started_at < ${moment(until)} AND is_deleted = 0 GROUP BY day_end HAVING fromUnixTimestamp64Micro(day_end) <= ${moment(until)}
ORDER BY day_end LIMIT ${limit}`
}

export async function listProjectsBefore(db: Database, before: Micros): Promise<string[]> {
  const rows = await db.rows<{ project_id: string }>(selectProjectsBefore(before), {
    name: 'projects with old calls',
    kind: 'export',
  })
  return rows.map(({ project_id }) => project_id)
}

export function selectProjectsBefore(before: Micros): Sql {
  return sql`SELECT DISTINCT project_id ${fromAllProjects('calls')} WHERE started_at < ${moment(before)} ORDER BY project_id`
}
