import type { Database } from '../../database/database.ts'
import { from } from '../../query/scope.ts'
import { type Sql, sql } from '../../query/sql.ts'
import { matchingCalls, type RefJoins } from './ref-joins.ts'

/**
 * Bytes of a call's payloads as sent. `.size` is a column of its own on disk. ClickHouse reads it for `length(inputs)` too, but
 * not under FINAL (ClickHouse issue 116568, 26.7): there `length` reads the whole text, 34 times the bytes.
 */
export const SIZE = sql`(attributes.size + inputs.size + output.size + summary.size + otel_dump.size)`

/** The total size of all matching calls. */
export async function sizeOfCalls(
  db: Database,
  project_id: string,
  conditions: readonly Sql[],
  refJoins?: RefJoins,
): Promise<number> {
  const statement = sizeStatement(project_id, conditions, refJoins)
  const row = await db.first<{ size: string }>(statement, { name: 'calls size', kind: 'scan' })
  return Number(row?.size ?? 0)
}

export function sizeStatement(project_id: string, conditions: readonly Sql[], refJoins?: RefJoins): Sql {
  return sql`SELECT sum(${SIZE}) AS size ${matchingCalls(project_id, conditions, refJoins)}`
}

/** The total size of each trace. */
export async function sizesOfTraces(
  db: Database,
  project_id: string,
  trace_ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (trace_ids.length === 0) return new Map()
  const rows = await db.rows<{ trace_id: string; size: string }>(selectTraceSizes(project_id, trace_ids), {
    name: 'traces size',
    kind: 'scan',
  })
  return new Map(rows.map((row) => [row.trace_id, Number(row.size)]))
}

export function selectTraceSizes(project_id: string, trace_ids: readonly string[]): Sql {
  return sql`SELECT trace_id, sum(${SIZE}) AS size ${from(project_id, 'calls')} AND trace_id IN ${trace_ids} GROUP BY trace_id`
}
