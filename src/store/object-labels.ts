import type { Database } from './database.ts'
import type { VersionKey } from './objects.ts'
import { from } from './scope.ts'
import { type Sql, sql } from './sql.ts'

/** Tags and aliases of object versions. */
export interface Label extends VersionKey {
  readonly kind: 'tag' | 'alias'
  readonly label: string
}

/**
 * Labels that count: deletion of a version takes its labels away, also if the same content is published again
 * later. They are compared with the deletion here, so that no second write has to follow it.
 */
export function labels(project_id: string, narrowed: Sql): Sql {
  return sql`SELECT label_row.object_id AS object_id, label_row.digest AS digest, kind, label
    FROM (SELECT object_id, digest, kind, label, created_at ${from(project_id, 'object_labels')} AND ${narrowed}) AS label_row
    INNER JOIN (SELECT object_id, digest, deleted_at ${from(project_id, 'object_versions')}
      AND object_id IN (SELECT object_id ${from(project_id, 'object_labels')} AND ${narrowed})) AS version
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
