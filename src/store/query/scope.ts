import { identifier, join, moment, type Sql, sql } from './sql.ts'

/**
 * Tenant isolation: the only module that writes the tenant predicate. Every table with data of projects is read through
 * `from`, which requires a project. A test searches src/store for any other `FROM` of these tables.
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
  'dataset_sources',
  'retention_policies',
  'selected_calls',
  'call_deletions',
  'secrets',
  'model_budgets',
  'model_spend',
] as const

export type TenantTable = (typeof TENANT_TABLES)[number]

/**
 * `FROM table FINAL WHERE project_id = …`; append conditions with `AND`. FINAL returns only the newest version of each
 * row, also before ClickHouse has merged them; see docs/decisions/0002.
 */
export function from(project_id: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(table)} FINAL WHERE project_id = ${project_id}`
}

/** `from` in another database of the server: a restored backup, from which the project is copied. */
export function fromDatabase(database: string, project_id: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(`${database}.${table}`)} FINAL WHERE project_id = ${project_id}`
}

/** All stored versions of the rows, for the few readers that must see what FINAL hides. */
export function fromAllVersions(project_id: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(table)} WHERE project_id = ${project_id}`
}

/** Deletes all stored rows of the project, every version of them. */
export function deleteRows(project_id: string, table: TenantTable): Sql {
  return sql`DELETE FROM ${identifier(table)} WHERE project_id = ${project_id}`
}

/** Rewrites the parts that contain such rows without them, so that nothing of them stays on disk. */
export function eraseRows(project_id: string, table: TenantTable): Sql {
  return sql`ALTER TABLE ${identifier(table)} DELETE WHERE project_id = ${project_id}`
}

/**
 * A time for each of several projects, in microseconds since 1970. Both are constant arrays of the same length; a project without a
 * time has `NO_TIME`.
 */
export interface ProjectTimes {
  readonly project_ids: Sql
  readonly micros: Sql
  /** The projects again, as the right side of IN, for the index. */
  readonly projects: Sql
  /** The latest of them, for the index; undefined: there is none. */
  readonly latest: bigint | undefined
}

/** Before all times, and the time of every project that is not listed: none of its rows is older. */
export const NO_TIME = -(2n ** 63n)

function timeOfProject({ project_ids, micros }: ProjectTimes): Sql {
  return sql`transform(project_id, ${project_ids}, ${micros}, toInt64(${NO_TIME.toString()}))`
}

/** Restricts a statement for many projects to certain rows of these. Made here only, for retention. */
export class RowsOfProjects {
  readonly condition: Sql

  private constructor(condition: Sql) {
    this.condition = condition
  }

  /** Rows with an earlier time in `column` than that of their project. */
  static before(times: ProjectTimes, column: 'started_at' | 'inserted_at' = 'started_at'): RowsOfProjects {
    if (times.latest === undefined) return new RowsOfProjects(sql`0`)
    const name = identifier(column)
    return new RowsOfProjects(
      sql`project_id IN ${times.projects} AND ${name} < ${moment(times.latest)} AND toUnixTimestamp64Micro(${name}) < ${timeOfProject(times)}`,
    )
  }

  /** All rows of the projects that have a time. */
  static withTime(times: ProjectTimes): RowsOfProjects {
    return new RowsOfProjects(
      sql`project_id IN ${times.projects} AND ${timeOfProject(times)} > toInt64(${NO_TIME.toString()})`,
    )
  }

  static of(project_ids: readonly string[]): RowsOfProjects {
    return new RowsOfProjects(sql`project_id IN ${project_ids}`)
  }

  /** Rows of the calls in a list (retention/selected-calls.ts). */
  static inList(list: string): RowsOfProjects {
    return new RowsOfProjects(sql`(project_id, id) IN (SELECT project_id, id ${fromList(list)})`)
  }

  /** Rows of the calls that `select` returns, as `project_id` and `id`: a statement of this module's. */
  static selected(select: Sql): RowsOfProjects {
    return new RowsOfProjects(sql`(project_id, id) IN (${select})`)
  }

  /** Rows of these calls. */
  static ofCalls(calls: readonly { readonly project_id: string; readonly id: string }[]): RowsOfProjects {
    const project_ids = calls.map(({ project_id }) => project_id)
    return new RowsOfProjects(sql`(project_id, id) IN arrayZip(${project_ids}, ${calls.map(({ id }) => id)})`)
  }
}

/** `from`, for rows of many projects. */
export function fromRows(table: TenantTable, { condition }: RowsOfProjects): Sql {
  return sql`FROM ${identifier(table)} FINAL WHERE ${condition}`
}

/** `fromAllVersions`, for rows of many projects. */
export function fromAllVersionsOfRows(table: TenantTable, { condition }: RowsOfProjects): Sql {
  return sql`FROM ${identifier(table)} WHERE ${condition}`
}

/** Deletes these rows, within one partition if it is given. Append conditions with `AND`. */
export function deleteRowsOfProjects(
  table: TenantTable,
  { condition }: RowsOfProjects,
  partition_id?: string,
): Sql {
  return sql`DELETE FROM ${identifier(table)} ${inPartition(partition_id)}WHERE ${condition}`
}

export function updateRowsOfProjects(
  table: TenantTable,
  { condition }: RowsOfProjects,
  partition_id: string,
  assignments: Sql,
): Sql {
  return sql`ALTER TABLE ${identifier(table)} UPDATE ${assignments} ${inPartition(partition_id)}WHERE ${condition}`
}

export function eraseRowsOfProjects(table: TenantTable, { condition }: RowsOfProjects): Sql {
  return sql`ALTER TABLE ${identifier(table)} DELETE WHERE ${condition}`
}

function inPartition(partition_id: string | undefined): Sql {
  return partition_id === undefined ? sql`` : sql`IN PARTITION ID ${partition_id} `
}

/** The calls of a list that a mutation reads, of whatever projects. */
export function fromList(list: string): Sql {
  return sql`FROM selected_calls WHERE run_id = ${list}`
}

/** Query ids of the SQL sandbox start with this, followed by the project id in hexadecimal. */
const SQL_QUERY = 'heddle-sql'

/** Chosen by Heddle: SQL text cannot change the id of its own query. */
export function sqlQueryId(project_id: string, id: string): string {
  return `${SQL_QUERY}-${Buffer.from(project_id).toString('hex')}-${id}`
}

/**
 * For the views of the SQL sandbox: the project named in the query id. PREWHERE removes the rows of other projects
 * before ClickHouse evaluates any condition of the caller (docs/decisions/0012-sql.md). FINAL as in `from`. No clause
 * may follow.
 */
export function fromProjectOfQueryId(database: string, table: TenantTable): Sql {
  return sql`FROM ${identifier(database)}.${identifier(table)} FINAL PREWHERE project_id = unhex(extract(initialQueryID(), '^heddle-sql-([0-9a-f]+)-'))`
}

/**
 * `live_log` of these projects from a position on; `isAfter` may depend on the project. Followers were authorized to
 * read it, each its own project. ClickHouse does not move a condition on the block number to PREWHERE on its own and
 * would read all columns of the last minutes: 220 to 780 ms for 2 M rows, against 20 ms.
 */
export function fromLiveLog(project_ids: readonly string[], isAfter: Sql): Sql {
  return sql`FROM live_log PREWHERE ${isAfter} WHERE project_id IN ${project_ids}`
}

/** Calls of one project, by id. A span covers all ids from its first to its last, including other calls. */
export interface CallsOfProject {
  readonly project_id: string
  readonly ids: readonly string[]
  readonly spans: readonly { readonly first: string; readonly last: string }[]
}

/** ClickHouse needs 10 s for 3,000 conditions of one project each, and 0.1 s for as many pairs in one. */
export const MAX_PROJECT_CONDITIONS = 16

/**
 * For the write path, which batches several projects: rows of these calls, each restricted to its own project. Callers
 * were authorized to write them. Beyond `MAX_PROJECT_CONDITIONS` projects, calls are better named without spans.
 */
export function fromProjects(table: TenantTable, calls: readonly CallsOfProject[]): Sql {
  const isPaired = ({ spans }: CallsOfProject): boolean =>
    calls.length > MAX_PROJECT_CONDITIONS && spans.length === 0
  const conditions = calls.filter((each) => !isPaired(each)).map(ofProject)
  const paired = calls.filter(isPaired)
  if (paired.length > 0) conditions.push(ofProjects(paired))
  return sql`FROM ${identifier(table)}\nWHERE (${join(conditions, ' OR ')})`
}

function ofProject({ project_id, ids, spans }: CallsOfProject): Sql {
  const covered = spans.map(({ first, last }) => sql`(id >= ${first} AND id <= ${last})`)
  const named = ids.length === 0 ? [] : [sql`id IN ${ids}`]
  return sql`(project_id = ${project_id} AND (${join([...named, ...covered], ' OR ')}))`
}

function ofProjects(calls: readonly CallsOfProject[]): Sql {
  const project_ids = calls.flatMap(({ project_id, ids }) => ids.map(() => project_id))
  return sql`((project_id, id) IN arrayZip(${project_ids}, ${calls.flatMap(({ ids }) => ids)}))`
}

/** Rows of all projects, for maintenance only: results never reach a caller. Add a WHERE clause. */
export function fromAllProjects(table: TenantTable): Sql {
  return sql`FROM ${identifier(table)}`
}

/** The same on other shards: `tables` is a table function. */
export function fromAllProjectsOfShards(tables: Sql): Sql {
  return sql`FROM ${tables}`
}

/** All stored rows of these calls, found through the sort key in `call_ids`. */
export function fromCallsOfProjects(calls: readonly CallsOfProject[]): Sql {
  return sql`FROM calls
WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id ${fromProjects('call_ids', calls)} AND is_part = 0)`
}
