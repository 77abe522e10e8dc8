import { RawJson } from '../../contract/raw-json.ts'
import type { ObjectClass } from '../../core/objects/object-class.ts'
import type { Database } from '../database/database.ts'
import { from, fromEveryVersion } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Writing versions of objects, and their values by key. How they read as versions is in object-versions.ts. */
export interface NewVersion extends ObjectClass {
  readonly project_id: string
  readonly object_id: string
  readonly digest: string
  readonly val: RawJson
  readonly wb_user_id: string
}

export interface VersionKey {
  readonly object_id: string
  readonly digest: string
}

/** What a deletion must say again of the version, so that its first publication stays the minimum. */
export interface DeletedVersion extends VersionKey {
  readonly created_at: string
  readonly wb_user_id: string
}

/**
 * When anything last happened to an object; what happens next must have a later time, or `latest` and
 * version_index would follow the clocks of nodes instead of the order of acknowledged requests.
 */
export async function findLastChange(db: Database, project_id: string, object_id: string): Promise<string> {
  const row = await db.first<{ last: string }>(selectLastChange(project_id, object_id), {
    name: 'object last change',
    kind: 'point',
  })
  return row?.last ?? ''
}

export function selectLastChange(project_id: string, object_id: string): Sql {
  return sql`SELECT greatest(max(published_at), max(deleted_at)) AS last
${fromEveryVersion(project_id, 'object_versions')} AND object_id = ${object_id}`
}

/** `at` is the first publication if this content is new, and where `latest` stands now in any case. */
export async function insertVersion(db: Database, version: NewVersion, at: string): Promise<void> {
  const { project_id, object_id, digest, kind, base_object_class, leaf_object_class, val } = version
  await db.insert('object_versions', [
    {
      project_id,
      object_id,
      digest,
      created_at: at,
      created_by: `${at} ${version.wb_user_id}`,
      published_at: at,
      kind,
      base_object_class: base_object_class ?? '',
      leaf_object_class: leaf_object_class ?? '',
      size_bytes: val.bytes.length,
      val: val.text,
    },
  ])
}

export async function insertDeletions(
  db: Database,
  project_id: string,
  versions: readonly DeletedVersion[],
  at: string,
): Promise<void> {
  await db.insert(
    'object_versions',
    versions.map(({ object_id, digest, created_at, wb_user_id }) => ({
      project_id,
      object_id,
      digest,
      created_at,
      created_by: `${created_at} ${wb_user_id}`,
      deleted_at: at,
    })),
  )
}

/** Values read at once: enough to be few statements, few enough that big ones do not pile up. */
const KEYS_AT_ONCE = 1_000

export interface Content {
  readonly val: RawJson
  readonly is_alive: boolean
}

/** What these versions hold, by `contentKey`; of those that exist, deleted ones too. */
export async function findContents(
  db: Database,
  project_id: string,
  keys: readonly VersionKey[],
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>()
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const some = keys.slice(i, i + KEYS_AT_ONCE)
    const rows = await db.rows<VersionKey & { val: string; is_alive: 0 | 1 }>(
      selectContents(project_id, some),
      { name: 'object contents', kind: 'list' },
    )
    for (const row of rows) {
      contents.set(contentKey(row), { val: RawJson.fromText(row.val), is_alive: row.is_alive === 1 })
    }
  }
  return contents
}

export function selectContents(project_id: string, keys: readonly VersionKey[]): Sql {
  const names = keys.map((key) => key.object_id)
  const digests = keys.map((key) => key.digest)
  return sql`SELECT object_id, digest, val, toUInt8(published_at >= deleted_at) AS is_alive
${from(project_id, 'object_versions')} AND (object_id, digest) IN arrayZip(${names}, ${digests})`
}

/** Neither part can hold a slash. */
export function contentKey({ object_id, digest }: VersionKey): string {
  return `${object_id}/${digest}`
}
