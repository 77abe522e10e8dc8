import type { NewObject } from '../../contract/objects/objects.ts'
import { ApiError } from '../../contract/api-error.ts'
import { valueDigest } from '../../core/objects/digest.ts'
import { readObjectClass, withClass } from '../../core/objects/object-class.ts'
import { laterTime } from '../../core/time/time.ts'
import { type VersionSelector, parseVersionSelector } from '../../core/objects/version-selector.ts'
import { findLastModified } from '../../store/objects/object-labels.ts'
import {
  findVersion,
  listVersionsOf,
  queryVersions,
  type VersionRow,
} from '../../store/objects/object-versions.ts'
import {
  findLastChange,
  findOtherClass,
  insertDeletions,
  insertVersion,
} from '../../store/objects/objects.ts'
import { requestedPage } from '../../store/query/page.ts'
import type { Caller, Deps } from '../deps.ts'
import { checkExpectedDigest } from './expected-digest.ts'
import type { Handlers } from '../handler.ts'
import { viewClasses, viewVersions } from './object-view.ts'
import { MAX_DELETED_VERSIONS, MAX_OBJECT_ID_CHARACTERS } from '../../contract/limits.ts'

/** Handlers for object versions: create, read, query, delete. */
export function objectsHandlers(
  deps: Deps,
): Pick<Handlers, 'obj_create' | 'obj_read' | 'objs_query' | 'obj_delete'> {
  const { db } = deps
  return {
    obj_create: async ({ obj }, caller) => publish(deps, obj, caller),

    obj_read: async ({ project_id, object_id, digest, metadata_only, include_tags_and_aliases }) => {
      const row = await findVersion(db, project_id, object_id, parseVersionSelector(digest))
      if (row === undefined) throw versionNotFound(object_id, digest)
      if (row.is_alive === 0) throw versionDeleted(object_id, digest, row.deleted_at)
      const [obj] = await viewVersions(deps, project_id, [row], {
        values: metadata_only !== true,
        labels: include_tags_and_aliases === true,
        sizes: false,
      })
      return { obj: obj! }
    },

    objs_query: async (request) => {
      const { project_id } = request
      const { limit, offset } = requestedPage(request)
      const rows = await queryVersions(db, project_id, {
        filter: request.filter ?? {},
        sort_by: request.sort_by,
        limit,
        offset,
      })
      const objs = await viewVersions(deps, project_id, rows, {
        values: request.metadata_only !== true,
        labels: request.include_tags_and_aliases === true,
        sizes: request.include_storage_size === true,
      })
      return { objs }
    },

    obj_delete: async ({ project_id, object_id, digests }) => {
      const rows = await findVersionsToDelete(deps, project_id, object_id, digests ?? undefined)
      // A deletion also deletes labels, so it must be later than they are.
      const at = laterTime(deps.now(), await findLastModified(db, project_id, object_id))
      await insertDeletions(db, project_id, rows, at)
      const deleted_versions = rows.map((row) => ({ digest: row.digest, ...viewClasses(row) }))
      return { num_deleted: rows.length, deleted_versions }
    },
  }
}

async function publish(
  { db, now }: Deps,
  obj: NewObject,
  caller: Caller,
): Promise<{ digest: string; object_id: string }> {
  const { project_id, object_id } = obj
  if (Array.from(object_id).length > MAX_OBJECT_ID_CHARACTERS) {
    throw new ApiError(
      'invalid_request',
      `object_id must have at most ${MAX_OBJECT_ID_CHARACTERS} characters`,
    )
  }
  const class_name = obj.builtin_object_class ?? obj.set_base_object_class
  const val = class_name ? withClass(obj.val, class_name) : obj.val
  const digest = valueDigest(val)
  checkExpectedDigest(obj.expected_digest, digest)
  const classes = readObjectClass(val)
  const version = { project_id, object_id, digest, val, wb_user_id: caller.user_id, ...classes }
  const [lastChange, otherClass] = await Promise.all([
    findLastChange(db, project_id, object_id),
    findOtherClass(db, version),
  ])
  if (otherClass !== '') throw classCollision(object_id, version.base_object_class, otherClass)
  await insertVersion(db, version, laterTime(now(), lastChange))
  return { digest, object_id }
}

/** Returns the versions to delete, each once. Throws if any of them does not exist. */
async function findVersionsToDelete(
  { db }: Deps,
  project_id: string,
  object_id: string,
  digests: readonly string[] | undefined,
): Promise<VersionRow[]> {
  if (digests !== undefined && digests.length > MAX_DELETED_VERSIONS) {
    throw new ApiError(
      'invalid_request',
      `at most ${MAX_DELETED_VERSIONS} versions can be deleted per request; split the list`,
    )
  }
  const alive = (await listVersionsOf(db, project_id, object_id)).filter((row) => row.is_alive === 1)
  if (digests === undefined) {
    if (alive.length === 0) throw new ApiError('not_found', `Obj ${object_id} not found`)
    return alive
  }
  const rows = new Map<string, VersionRow>()
  for (const digest of digests) {
    const selector = parseVersionSelector(digest)
    const row =
      selector.by === 'alias'
        ? await findVersion(db, project_id, object_id, selector)
        : alive.find((each) => isSelected(each, selector))
    if (row === undefined) throw versionNotFound(object_id, digest)
    rows.set(row.digest, row)
  }
  if (rows.size === 0)
    throw new ApiError(
      'not_found',
      `digests is empty; list the versions of ${object_id} to delete, or omit digests to delete all`,
    )
  return [...rows.values()]
}

function isSelected(row: VersionRow, selector: VersionSelector): boolean {
  if (selector.by === 'latest') return row.is_latest === 1
  if (selector.by === 'index') return row.version_index === selector.version_index
  return selector.by === 'digest' && row.digest === selector.digest
}

function versionNotFound(object_id: string, digest: string): ApiError {
  return new ApiError('not_found', `Obj ${object_id}:${digest} not found`)
}

/** Refs do not name the class, so one name with two classes would be ambiguous. */
function classCollision(object_id: string, base_object_class: string | null, other: string): ApiError {
  return new ApiError(
    'invalid_request',
    `cannot publish ${object_id} as ${base_object_class}: the name is used by an object of class ${other} in this project; choose another name`,
  )
}

/** `deleted_at` tells SDKs not to retry. */
function versionDeleted(object_id: string, digest: string, deleted_at: string): ApiError {
  return new ApiError('not_found', `Obj ${object_id}:${digest} was deleted at ${deleted_at}`, {
    extra: { deleted_at },
  })
}
