import { RawJson } from '../../contract/raw-json.ts'
import type { ObjectClass } from '../../core/objects/object-class.ts'
import type { Database } from '../database/database.ts'
import { from, fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Writes object versions and reads their values by key. object-versions.ts reads them as versions. */
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

/** The fields that a deletion repeats, so that the time of first publication stays the minimum. */
export interface DeletedVersion extends VersionKey {
  readonly first_created_at: string
  readonly wb_user_id: string
}

/**
 * The time of the last change of an object. The next change must have a later time; otherwise `latest` and version_index
 * would follow the clocks of nodes instead of the order of acknowledged requests.
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
${fromAllVersions(project_id, 'object_versions')} AND object_id = ${object_id}`
}

/**
 * Another class that the name has, '' for none. Objects without a class have the name of any. A version that exists can
 * always be published again.
 */
export async function findOtherClass(db: Database, version: NewVersion): Promise<string> {
  if (version.base_object_class === null) return ''
  const row = await db.first<{ other: string; is_known: 0 | 1 }>(selectOtherClass(version), {
    name: 'object classes',
    kind: 'point',
  })
  return row?.is_known === 0 ? row.other : ''
}

export function selectOtherClass(version: Omit<NewVersion, 'val' | 'wb_user_id'>): Sql {
  const { project_id, object_id, digest, base_object_class } = version
  return sql`SELECT maxIf(base_object_class, base_object_class != ${base_object_class ?? ''}) AS other,
  toUInt8(countIf(digest = ${digest}) > 0) AS is_known
${from(project_id, 'object_versions')} AND object_id = ${object_id} AND published_at >= deleted_at`
}

/** `at` is the time of publication: the first one if the content is new, and always the latest one. */
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
    versions.map(({ object_id, digest, first_created_at, wb_user_id }) => ({
      project_id,
      object_id,
      digest,
      created_at: first_created_at,
      created_by: `${first_created_at} ${wb_user_id}`,
      deleted_at: at,
    })),
  )
}

/** Values per statement: few statements, but not too many large values at once. */
const KEYS_PER_READ = 1_000

export interface Content {
  readonly val: RawJson
  readonly is_alive: boolean
}

/**
 * The values of these versions, by `contentKey`; includes deleted versions. With `maxBytes`, values that do not fit are
 * left out.
 */
export async function findContents(
  db: Database,
  project_id: string,
  keys: readonly VersionKey[],
  maxBytes?: number,
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>()
  let remaining = maxBytes
  for (let i = 0; i < keys.length; i += KEYS_PER_READ) {
    const some = keys.slice(i, i + KEYS_PER_READ)
    const rows = await db.rows<VersionKey & { val: string; is_alive: 0 | 1 }>(
      selectContents(project_id, some, remaining),
      { name: 'object contents', kind: 'list' },
    )
    for (const row of rows) {
      if (remaining !== undefined) remaining = Math.max(0, remaining - row.val.length)
      contents.set(contentKey(row), { val: RawJson.fromText(row.val), is_alive: row.is_alive === 1 })
    }
  }
  return contents
}

export function selectContents(project_id: string, keys: readonly VersionKey[], maxBytes?: number): Sql {
  const names = keys.map((key) => key.object_id)
  const digests = keys.map((key) => key.digest)
  const versions = sql`${from(project_id, 'object_versions')} AND (object_id, digest) IN arrayZip(${names}, ${digests})`
  const selected =
    maxBytes === undefined
      ? versions
      : sql`${from(project_id, 'object_versions')} AND (object_id, digest) IN (
  SELECT object_id, digest FROM (
    SELECT object_id, digest, sum(size_bytes) OVER (ORDER BY size_bytes, object_id, digest) AS total ${versions})
  WHERE total <= ${maxBytes})`
  return sql`SELECT object_id, digest, val, toUInt8(published_at >= deleted_at) AS is_alive
${selected}`
}

/** Neither part contains a slash. */
export function contentKey({ object_id, digest }: VersionKey): string {
  return `${object_id}/${digest}`
}
