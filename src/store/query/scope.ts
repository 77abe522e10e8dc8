import { identifier, join, type Sql, sql } from './sql.ts'

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
  'live_log',
  'queues',
  'queue_items',
  'queue_claims',
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

/** The id of a query that people wrote begins with this, and the project in hexadecimal. */
const SQL_QUERY = 'heddle-sql'

/** Only Heddle chooses it: no text of SQL can change the id of the query that it is in. */
export function sqlQueryId(project_id: string, id: string): string {
  return `${SQL_QUERY}-${Buffer.from(project_id).toString('hex')}-${id}`
}

/**
 * For the views that people's SQL reads: the project that the id of the query says. PREWHERE, so that the engine takes
 * the rows of other projects away before it looks at any condition of theirs (docs/decisions/0012-sql.md); FINAL as
 * in `from`. Nothing may follow it but an end.
 */
export function fromOfQuery(database: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(database)}.${identifier(table)} FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))`
}

/**
 * `live_log` from a position on. The engine does not think of filtering by a block's number first, and reads every
 * column of the last minutes otherwise: 20 ms against 220 to 780 for 2 M rows.
 */
export function fromLiveLog(project_id: string, isAfter: Sql): Sql {
  return sql`FROM live_log PREWHERE ${isAfter} WHERE project_id = ${project_id}`
}

/** Calls of one project, by id. A span covers every id from its first to its last, those of others too. */
export interface CallsOfProject {
  readonly project_id: string
  readonly ids: readonly string[]
  readonly spans: readonly { readonly first: string; readonly last: string }[]
}

/**
 * For the way in, which serves many projects at once: rows of these calls, each with its own project. They are
 * what callers were authorized to write.
 */
export function acrossProjects(table: TenantTable, calls: readonly CallsOfProject[]): Sql {
  const conditions = calls.map(({ project_id, ids, spans }) => {
    const covered = spans.map(({ first, last }) => sql`(id >= ${first} AND id <= ${last})`)
    const named = ids.length === 0 ? [] : [sql`id IN ${ids}`]
    return sql`(project_id = ${project_id} AND (${join([...named, ...covered], ' OR ')}))`
  })
  return sql`FROM ${identifier(table)}\nWHERE (${join(conditions, ' OR ')})`
}

/** Of every project, for upkeep alone: what is found goes back into its own project, and to no caller. Filter it. */
export function fromEveryProject(table: TenantTable): Sql {
  return sql`FROM ${identifier(table)}`
}

/** Every stored row of these calls, found by the key that `call_ids` has for them. */
export function callsAcrossProjects(calls: readonly CallsOfProject[]): Sql {
  return sql`FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id ${acrossProjects('call_ids', calls)} AND is_part = 0)`
}
