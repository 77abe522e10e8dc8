import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The list of projects. A project is created by its first write. */
export interface ProjectRow {
  readonly project_id: string
  /** The user of the first write. */
  readonly created_by: string
  readonly created_at: string
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

const PROJECT = sql`SELECT project_id, created_by, created_at FROM projects FINAL`

export const selectProjects: Sql = sql`${PROJECT} ORDER BY project_id`

export function selectProjectsIn({ entities, project_ids }: ProjectScopes): Sql {
  return sql`${PROJECT}
WHERE splitByChar('/', project_id)[1] IN ${entities} OR project_id IN ${project_ids} ORDER BY project_id`
}

export async function projectExists(db: Database, project_id: string): Promise<boolean> {
  return (await findProjects(db, [project_id])).length > 0
}

/** Those of the projects that exist. */
export async function findProjects(db: Database, project_ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<Pick<ProjectRow, 'project_id'>>(selectExistingProjects(project_ids), {
    name: 'projects find',
    kind: 'access',
  })
  return rows.map((row) => row.project_id)
}

export function selectExistingProjects(project_ids: readonly string[]): Sql {
  return sql`SELECT project_id FROM projects FINAL WHERE project_id IN ${project_ids}`
}

/** Whether the entity has any project. */
export async function entityHasProjects(db: Database, entity: string): Promise<boolean> {
  const options = { name: 'projects of entity', kind: 'access' } as const
  return (await db.first(selectProjectOfEntity(entity), options)) !== undefined
}

export function selectProjectOfEntity(entity: string): Sql {
  return sql`SELECT 1 FROM projects FINAL WHERE startsWith(project_id, ${`${entity}/`}) LIMIT 1`
}

export async function writeProjects(db: Database, rows: readonly ProjectRow[]): Promise<void> {
  await db.insert(
    'projects',
    rows.map((row) => ({ ...row, changed_at: row.created_at, is_deleted: 0 })),
  )
}
