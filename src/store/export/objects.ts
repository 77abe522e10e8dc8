import type { ObjectFilter } from '../../contract/objects/objects.ts'
import { labels } from '../objects/object-labels.ts'
import { versionsStatement } from '../objects/object-versions.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportSource, optionalColumn } from './source.ts'

/**
 * Object versions as `objs/query` returns them, with their tags and aliases, but in the order of their first publication, which
 * `created_at` is here: an import publishes them in this order, and they keep their numbers.
 */
const columns = (project_id: string) => [
  exportColumn('project_id', 'text', sql`${project_id}`),
  exportColumn('object_id', 'text'),
  exportColumn('created_at', 'time'),
  exportColumn('digest', 'text'),
  exportColumn('version_index', 'number'),
  exportColumn('is_latest', 'number'),
  exportColumn('kind', 'text'),
  optionalColumn('base_object_class'),
  optionalColumn('leaf_object_class'),
  exportColumn('val', 'json'),
  optionalColumn('wb_user_id'),
  exportColumn('size_bytes', 'number'),
  exportColumn('tags', 'texts'),
  exportColumn('aliases', 'texts', sql`if(is_latest, arrayPushBack(aliases, 'latest'), aliases)`),
]

export function exportedObjects(project_id: string, filter: ObjectFilter): ExportSource {
  const versions = versionsStatement(project_id, {
    filter,
    sort_by: undefined,
    limit: undefined,
    offset: undefined,
  })
  const keys = (within: Sql): Sql =>
    sql`FROM (SELECT * REPLACE (first_created_at AS created_at) FROM (${versions})) WHERE ${within}`
  // Values are large, so they are on the left side of the join: ClickHouse keeps the right side in memory.
  const rows = (within: Sql): Sql => sql`FROM (
  SELECT object_id AS of_object, digest AS of_digest, val ${from(project_id, 'object_versions')}) AS content
INNER JOIN (SELECT * ${keys(within)}) AS version
  ON content.of_object = version.object_id AND content.of_digest = version.digest
LEFT JOIN (SELECT object_id AS on_object, digest AS on_digest,
    arraySort(groupArrayIf(label, kind = 'tag')) AS tags, arraySort(groupArrayIf(label, kind = 'alias')) AS aliases
  FROM (${labels(project_id, sql`1`)}) GROUP BY object_id, digest) AS labelled
  ON labelled.on_object = version.object_id AND labelled.on_digest = version.digest
WHERE 1`
  return { what: 'objects', columns: columns(project_id), rows, keys }
}
