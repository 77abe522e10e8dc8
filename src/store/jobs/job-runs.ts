import { formatTime, type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The log of completed runs of background jobs, of all nodes. */
interface JobRun {
  readonly job: string
  readonly owner: string
  readonly started_at: Micros
  /** Empty if the run succeeded. */
  readonly error: string
}

export async function recordJobRun(db: Database, run: JobRun): Promise<void> {
  await db.insert('job_runs', [{ ...run, started_at: formatTime(run.started_at) }])
}

/** When the last successful run of the job began; undefined if there was none. */
export async function findLastRun(db: Database, job: string): Promise<Micros | undefined> {
  const row = await db.first<{ started_at: string }>(selectLastRun(job), { name: 'job runs', kind: 'point' })
  return row === undefined ? undefined : parseTime(row.started_at)
}

export function selectLastRun(job: string): Sql {
  return sql`SELECT started_at FROM job_runs WHERE job = ${job} AND error = '' ORDER BY started_at DESC LIMIT 1`
}
