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
