import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The list of projects. A project is created by its first write. */
export interface ProjectRow {
  readonly project_id: string
  /** The user of the first write. */
  readonly created_by: string
  readonly created_at: string
}

export async function listProjects(db: Database): Promise<ProjectRow[]> {
  return db.rows<ProjectRow>(selectProjects, { name: 'projects list', kind: 'list' })
}

export const selectProjects: Sql = sql`SELECT project_id, created_by, created_at FROM projects FINAL ORDER BY project_id`

export async function projectExists(db: Database, project_id: string): Promise<boolean> {
  return (await db.first(selectProject(project_id), { name: 'projects find', kind: 'write' })) !== undefined
}

export function selectProject(project_id: string): Sql {
  return sql`SELECT 1 FROM projects FINAL WHERE project_id = ${project_id}`
}

/** Whether the entity has any project. */
export async function entityHasProjects(db: Database, entity: string): Promise<boolean> {
  const options = { name: 'projects of entity', kind: 'point' } as const
  return (await db.first(selectProjectOfEntity(entity), options)) !== undefined
}

export function selectProjectOfEntity(entity: string): Sql {
  return sql`SELECT 1 FROM projects FINAL WHERE startsWith(project_id, ${`${entity}/`}) LIMIT 1`
}

export async function writeProject(db: Database, row: ProjectRow): Promise<void> {
  await db.insert('projects', [{ ...row, changed_at: row.created_at, is_deleted: 0 }])
}
