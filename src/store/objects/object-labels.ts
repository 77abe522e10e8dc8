import type { Database } from '../database/database.ts'
import { findLastChange, type VersionKey } from './objects.ts'
import { from, fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Tags and aliases of object versions. */
export interface Label extends VersionKey {
  readonly kind: 'tag' | 'alias'
  readonly label: string
}

/**
 * The valid labels. Deleting a version removes its labels, also if the same content is published again later. Labels are
 * compared with the deletion time on read, so that a deletion is a single write.
 */
export function labels(project_id: string, condition: Sql): Sql {
  return sql`SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at ${from(project_id, 'object_labels')} AND ${condition}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at ${from(project_id, 'object_versions')}
      AND object_id IN (SELECT object_id ${from(project_id, 'object_labels')} AND ${condition})) AS version
    ON label_row.object_id = version.object_id AND label_row.digest = version.digest
    WHERE label_row.created_at > version.deleted_at`
}

/** Labels of these objects, in alphabetical order. */
export async function listLabels(
  db: Database,
  project_id: string,
  object_ids: readonly string[],
): Promise<Label[]> {
  if (object_ids.length === 0) return []
  return db.rows<Label>(selectLabels(project_id, object_ids), { name: 'object labels', kind: 'list' })
}

export function selectLabels(project_id: string, object_ids: readonly string[]): Sql {
  return sql`SELECT object_id, digest, kind, label FROM (${labels(project_id, sql`object_id IN ${object_ids}`)})
ORDER BY label, object_id, digest`
}

/** The distinct tags of a project. */
export async function listTags(db: Database, project_id: string): Promise<string[]> {
  const rows = await db.rows<{ label: string }>(selectTags(project_id), { name: 'tags', kind: 'scan' })
  return rows.map((row) => row.label)
}

export function selectTags(project_id: string): Sql {
  return sql`SELECT DISTINCT label FROM (${labels(project_id, sql`kind = 'tag'`)}) ORDER BY label`
}

/** The distinct aliases of a project, including `latest` if it has any object. */
export async function listAliases(db: Database, project_id: string): Promise<string[]> {
  const rows = await db.rows<{ label: string }>(selectAliases(project_id), { name: 'aliases', kind: 'scan' })
  return rows.map((row) => row.label)
}

export function selectAliases(project_id: string): Sql {
  return sql`SELECT DISTINCT label FROM (
    SELECT label FROM (${labels(project_id, sql`kind = 'alias'`)})
    UNION ALL
    SELECT 'latest' AS label ${from(project_id, 'object_versions')} AND published_at >= deleted_at LIMIT 1
) ORDER BY label`
}

/** The time of the last change of an object or of its labels; the next change must be later. */
export async function findLastModified(db: Database, project_id: string, object_id: string): Promise<string> {
  const [changed, labelled] = await Promise.all([
    findLastChange(db, project_id, object_id),
    findLastLabelChange(db, project_id, object_id),
  ])
  return changed > labelled ? changed : labelled
}

/** The time at which a label of the object was last set or removed; '' if never. */
async function findLastLabelChange(db: Database, project_id: string, object_id: string): Promise<string> {
  const row = await db.first<{ last: string }>(selectLastLabelChange(project_id, object_id), {
    name: 'object last label change',
    kind: 'point',
  })
  return row?.last ?? ''
}

export function selectLastLabelChange(project_id: string, object_id: string): Sql {
  return sql`SELECT max(created_at) AS last ${fromAllVersions(project_id, 'object_labels')} AND object_id = ${object_id}`
}

interface LabelChange {
  readonly wb_user_id: string
  readonly at: string
  readonly is_deleted: boolean
}

/** A tag has one row per version, an alias one row per object, whichever version it points at. */
export async function insertLabels(
  db: Database,
  project_id: string,
  rows: readonly Label[],
  { wb_user_id, at, is_deleted }: LabelChange,
): Promise<void> {
  await db.insert(
    'object_labels',
    rows.map(({ object_id, kind, label, digest }) => ({
      project_id,
      object_id,
      kind,
      label,
      tagged_digest: kind === 'tag' ? digest : '',
      digest,
      wb_user_id,
      created_at: at,
      is_deleted: is_deleted ? 1 : 0,
    })),
  )
}
