import type { Database } from '../database/database.ts'
import { deleteRows, fromAllVersions, TENANT_TABLES, type TenantTable } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The list of projects. A project is created by its first write. */
export interface ProjectRow {
  readonly project_id: string
  /** Empty: the UI shows the name in `project_id`. */
  readonly display_name: string
  /** The user of the first write. */
  readonly created_by: string
  readonly created_at: string
  /** Set when the project is being deleted. */
  readonly deletion_started_at: string | null
  readonly changed_at: string
}

export interface ProjectWrite extends ProjectRow {
  readonly is_deleted: 0 | 1
}

/** Projects to list: all of these entities, and these single ones. */
export interface ProjectScopes {
  readonly entities: readonly string[]
  readonly project_ids: readonly string[]
}

/** Without scopes, all projects. */
export async function listProjects(db: Database, scopes?: ProjectScopes): Promise<ProjectRow[]> {
  const statement = scopes === undefined ? selectProjects : selectProjectsIn(scopes)
  return db.rows<ProjectRow>(statement, { name: 'projects list', kind: 'list' })
}

const PROJECT = sql`SELECT project_id, display_name, created_by, created_at, deletion_started_at, changed_at
FROM projects FINAL`

export const selectProjects: Sql = sql`${PROJECT} ORDER BY project_id`

export function selectProjectsIn({ entities, project_ids }: ProjectScopes): Sql {
  return sql`${PROJECT}
WHERE splitByChar('/', project_id)[1] IN ${entities} OR project_id IN ${project_ids} ORDER BY project_id`
}

export async function findProject(db: Database, project_id: string): Promise<ProjectRow | undefined> {
  return db.first<ProjectRow>(selectProject(project_id), { name: 'project find', kind: 'access' })
}

export function selectProject(project_id: string): Sql {
  return sql`${PROJECT} WHERE project_id = ${project_id}`
}

export async function projectExists(db: Database, project_id: string): Promise<boolean> {
  return (await findProject(db, project_id)) !== undefined
}

/** Ids of the projects that were changed last. */
export async function listNewestProjects(db: Database, limit: number): Promise<string[]> {
  const options = { name: 'projects newest', kind: 'access' } as const
  const rows = await db.rows<Pick<ProjectRow, 'project_id'>>(selectNewestProjects(limit), options)
  return rows.map(({ project_id }) => project_id)
}

export function selectNewestProjects(limit: number): Sql {
  return sql`SELECT project_id FROM projects FINAL ORDER BY changed_at DESC LIMIT ${limit}`
}

/** The newest state of a project that has, or had, a row. */
export interface ProjectState {
  readonly project_id: string
  readonly is_deleted: 0 | 1
  readonly changed_at: string
}

/** Those of the projects that exist or were deleted. */
export async function findProjectStates(
  db: Database,
  project_ids: readonly string[],
): Promise<ProjectState[]> {
  return db.rows<ProjectState>(selectProjectStates(project_ids), { name: 'projects find', kind: 'access' })
}

export function selectProjectStates(project_ids: readonly string[]): Sql {
  return sql`SELECT project_id, is_deleted, changed_at FROM projects WHERE project_id IN ${project_ids}
ORDER BY project_id, changed_at DESC LIMIT 1 BY project_id`
}

/** Whether the entity has any project. */
export async function entityHasProjects(db: Database, entity: string): Promise<boolean> {
  const options = { name: 'projects of entity', kind: 'access' } as const
  return (await db.first(selectProjectOfEntity(entity), options)) !== undefined
}

export function selectProjectOfEntity(entity: string): Sql {
  return sql`SELECT 1 FROM projects FINAL WHERE startsWith(project_id, ${`${entity}/`}) LIMIT 1`
}

export async function writeProjects(db: Database, rows: readonly ProjectWrite[]): Promise<void> {
  await db.insert('projects', rows)
}

/** A project that is being deleted, or was deleted and not created again. */
export interface ProjectDeletion {
  readonly project_id: string
  readonly deletion_started_at: string
  /** 1: its data is deleted. */
  readonly is_deleted: 0 | 1
}

export async function listDeletions(db: Database): Promise<ProjectDeletion[]> {
  const rows = await db.rows<
    Omit<ProjectDeletion, 'deletion_started_at'> & Pick<ProjectRow, 'deletion_started_at'>
  >(selectDeletions, { name: 'project deletions', kind: 'access' })
  return rows.flatMap(({ deletion_started_at, ...row }) =>
    deletion_started_at === null ? [] : [{ ...row, deletion_started_at }],
  )
}

/** Without FINAL, which hides the projects that are deleted. */
export const selectDeletions: Sql = sql`SELECT project_id, deletion_started_at, is_deleted FROM projects
WHERE project_id IN (SELECT project_id FROM projects WHERE deletion_started_at IS NOT NULL)
ORDER BY project_id, changed_at DESC LIMIT 1 BY project_id`

/**
 * Deletes the rows of the project from every table with data of projects, on every shard, and returns how many there
 * were; undefined if `mayContinue` did not hold. The rows disappear at once; their bytes leave the disk when ClickHouse
 * merges the parts. A mutation does not affect rows that are inserted after it began. Each one visits all parts of its
 * table, so there is none for a table without rows of the project.
 */
export async function deleteProjectRows(
  db: Database,
  project_id: string,
  mayContinue: () => Promise<boolean>,
): Promise<number | undefined> {
  let deleted = 0
  for (const shard of db.shards) {
    for (const table of TENANT_TABLES) {
      // Mutations of other projects read the same lists; they are removed after their run (retention/deletion-runs.ts).
      if (table === 'selected_calls') continue
      const count = await countRows(shard, project_id, table)
      if (count === 0) continue
      if (!(await mayContinue())) return undefined
      await shard.command(deleteRows(project_id, table), 'project delete')
      deleted += count
    }
  }
  return deleted
}

/** Stored rows by table on all shards, all versions. Tables without rows are left out. */
export async function countProjectRows(db: Database, project_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TENANT_TABLES) {
    let count = 0
    for (const shard of db.shards) count += await countRows(shard, project_id, table)
    if (count > 0) counts[table] = count
  }
  return counts
}

async function countRows(shard: Database, project_id: string, table: TenantTable): Promise<number> {
  const row = await shard.first<{ count: string }>(selectProjectRowCount(project_id, table), {
    name: 'project rows',
    kind: 'scan',
  })
  return Number(row?.count ?? 0)
}

export function selectProjectRowCount(project_id: string, table: TenantTable): Sql {
  return sql`SELECT count() AS count ${fromAllVersions(project_id, table)}`
}
