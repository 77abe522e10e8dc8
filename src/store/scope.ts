import { identifier, type Sql, sql } from './sql.ts'

/**
 * The one place that writes the tenant predicate. Every table that holds data of projects is read through
 * `from`, which cannot be called without a project; a test reads all of src/store for a `FROM` of these tables
 * that goes around it.
 */
export const TENANT_TABLES = [
  'calls',
  'call_ids',
  'call_parts',
  'object_versions',
  'object_labels',
  'data_tables',
  'table_rows',
  'files',
  'feedback',
  'prices',
] as const

export type TenantTable = (typeof TENANT_TABLES)[number]

/**
 * `FROM table FINAL WHERE project_id = …`: go on with `AND`. FINAL makes the engine show each row once whatever
 * was sent again, exactly and at once; see docs/decisions/0002.
 */
export function from(project_id: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(table)} FINAL WHERE project_id = ${project_id}`
}

/** Every stored version of a row, for the few writers that must see what FINAL hides. */
export function fromEveryVersion(project_id: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(table)} WHERE project_id = ${project_id}`
}

/**
 * For the way in, which serves many projects at once: rows of exactly these calls, each with its own project.
 * The pairs are what callers were authorized to write.
 */
export function acrossProjects(
  table: TenantTable,
  keys: readonly { readonly project_id: string; readonly id: string }[],
): Sql {
  const projects = keys.map((key) => key.project_id)
  const ids = keys.map((key) => key.id)
  return sql`FROM ${identifier(table)}
WHERE (project_id, id) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip(${projects}, ${ids})) AS pair))`
}

/** Every stored row of exactly these calls, found by the key that `call_ids` has for them. */
export function callsAcrossProjects(
  keys: readonly { readonly project_id: string; readonly id: string }[],
): Sql {
  return sql`FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id ${acrossProjects('call_ids', keys)} AND is_part = 0)`
}
