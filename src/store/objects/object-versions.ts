import type { ObjectFilter, ObjectSort } from '../../contract/objects/objects.ts'
import type { VersionSelector } from '../../core/objects/version-selector.ts'
import type { Database } from '../database/database.ts'
import { labels } from './object-labels.ts'
import { type Page, page } from '../query/page.ts'
import { from } from '../query/scope.ts'
import { and, identifier, join, type Sql, sql } from '../query/sql.ts'

/** An object version without its value, which is read separately because it may be large. */
export interface VersionRow {
  readonly object_id: string
  readonly digest: string
  /** The last publication, as in Weave. */
  readonly created_at: string
  readonly first_created_at: string
  readonly deleted_at: string
  readonly wb_user_id: string
  readonly version_index: number
  readonly is_alive: 0 | 1
  readonly is_latest: 0 | 1
  readonly kind: 'op' | 'object'
  readonly base_object_class: string
  readonly leaf_object_class: string
  readonly size_bytes: number
}

/** The length of the text before the user id in `created_by`: a time and a space. */
const TIME_CHARACTERS = '2026-01-01T00:00:00.000000Z '.length

/**
 * All versions of the objects, including deleted ones, with their index and `is_latest`. Versions are numbered by first
 * publication, and by digest within the same microsecond, so that all nodes agree and there are no gaps. The latest is
 * the version that was published last or, if that is deleted, the highest index that is not.
 */
function versions(project_id: string, condition: Sql): Sql {
  return numberedVersions(sql`${from(project_id, 'object_versions')} AND ${condition}`)
}

/** `rows` is the FROM and WHERE clause; `value` adds a column for the value. */
function numberedVersions(rows: Sql, value: Sql = sql``): Sql {
  return sql`SELECT *, published_at AS created_at,
      toUInt8(is_alive AND row_number() OVER (PARTITION BY object_id
        ORDER BY is_alive DESC, recency = 1 DESC, version_index DESC) = 1) AS is_latest
    FROM (SELECT object_id, digest, created_at AS first_created_at, published_at, deleted_at, kind, base_object_class, leaf_object_class,
        substring(created_by, ${TIME_CHARACTERS + 1}) AS wb_user_id,
        toUInt32(size_bytes) AS size_bytes,${value}
        toUInt8(published_at >= deleted_at) AS is_alive,
        toUInt32(row_number() OVER (PARTITION BY object_id ORDER BY created_at, digest) - 1) AS version_index,
        row_number() OVER (PARTITION BY object_id ORDER BY published_at DESC, digest DESC) AS recency
      ${rows})`
}

/** Versions with their values, without deleted ones. */
export function liveVersions(rows: Sql): Sql {
  return sql`SELECT * FROM (${numberedVersions(rows, sql` val,`)}) WHERE is_alive`
}

/** All versions of one object, by index. */
export async function listVersionsOf(
  db: Database,
  project_id: string,
  object_id: string,
): Promise<VersionRow[]> {
  const statement = selectVersionsOf(project_id, object_id)
  return db.rows<VersionRow>(statement, { name: 'object versions', kind: 'point' })
}

export function selectVersionsOf(project_id: string, object_id: string): Sql {
  return sql`SELECT * FROM (${versions(project_id, sql`object_id = ${object_id}`)}) ORDER BY version_index`
}

/** May return a deleted version. */
export async function findVersion(
  db: Database,
  project_id: string,
  object_id: string,
  selector: VersionSelector,
): Promise<VersionRow | undefined> {
  const statement = selectVersion(project_id, object_id, selector)
  return db.first<VersionRow>(statement, { name: 'object version', kind: 'point' })
}

export function selectVersion(project_id: string, object_id: string, selector: VersionSelector): Sql {
  return sql`SELECT * FROM (${versions(project_id, sql`object_id = ${object_id}`)})
WHERE ${selectorCondition(project_id, object_id, selector)}`
}

function selectorCondition(project_id: string, object_id: string, selector: VersionSelector): Sql {
  if (selector.by === 'latest') return sql`is_latest`
  if (selector.by === 'index') return sql`version_index = ${selector.version_index}`
  if (selector.by === 'digest') return sql`digest = ${selector.digest}`
  const condition = sql`object_id = ${object_id} AND kind = 'alias' AND label = ${selector.alias}`
  return sql`is_alive AND digest IN (SELECT digest FROM (${labels(project_id, condition)}))`
}

export interface VersionsQuery extends Page {
  readonly filter: ObjectFilter
  readonly sort_by: ObjectSort
}

/** Lists versions that are not deleted. */
export async function queryVersions(
  db: Database,
  project_id: string,
  query: VersionsQuery,
): Promise<VersionRow[]> {
  return db.rows<VersionRow>(versionsStatement(project_id, query), { name: 'objects query', kind: 'scan' })
}

export function versionsStatement(project_id: string, query: VersionsQuery): Sql {
  const names = query.filter.object_ids ?? []
  const condition = names.length === 0 ? sql`1` : sql`object_id IN ${names}`
  return sql`SELECT * FROM (${versions(project_id, condition)})
    WHERE is_alive AND ${and(conditions(project_id, query.filter))}
    ORDER BY ${order(query.sort_by)} ${page(query)}`
}

function conditions(project_id: string, filter: ObjectFilter): Sql[] {
  const all: Sql[] = []
  const whenAny = (
    list: readonly string[] | null | undefined,
    condition: (values: readonly string[]) => Sql,
  ): void => {
    if (list?.length) all.push(condition(list))
  }
  whenAny(filter.base_object_classes, (names) => sql`base_object_class IN ${names}`)
  whenAny(filter.exclude_base_object_classes, (names) => sql`base_object_class NOT IN ${names}`)
  whenAny(filter.leaf_object_classes, (names) => sql`leaf_object_class IN ${names}`)
  if (typeof filter.is_op === 'boolean') all.push(filter.is_op ? sql`kind = 'op'` : sql`kind != 'op'`)
  if (filter.latest_only === true) all.push(sql`is_latest`)
  whenAny(filter.tags, (names) => hasLabel(project_id, sql`kind = 'tag' AND label IN ${names}`))
  whenAny(filter.aliases, (names) => {
    const aliased = hasLabel(project_id, sql`kind = 'alias' AND label IN ${names}`)
    return names.includes('latest') ? sql`is_latest OR ${aliased}` : aliased
  })
  return all
}

function hasLabel(project_id: string, condition: Sql): Sql {
  return sql`(object_id, digest) IN (SELECT object_id, digest FROM (${labels(project_id, condition)}))`
}

/** The last terms make the order of pages stable. */
function order(sort_by: ObjectSort): Sql {
  const terms = (sort_by ?? []).map((by) => sql`${identifier(by.field)} ${identifier(by.direction)}`)
  return join([...terms, sql`created_at`, sql`object_id`, sql`digest`], ', ')
}
