import { ApiError } from '../../contract/api-error.ts'
import { checkAliases, checkTags } from '../../core/objects/label.ts'
import { laterTime } from '../../core/time/time.ts'
import { parseVersionSelector } from '../../core/objects/version-selector.ts'
import {
  findLastModified,
  insertLabels,
  type Label,
  listAliases,
  listLabels,
  listTags,
} from '../../store/objects/object-labels.ts'
import { findVersion } from '../../store/objects/object-versions.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type LabelOperation =
  | 'obj_add_tags'
  | 'obj_remove_tags'
  | 'obj_set_aliases'
  | 'obj_remove_aliases'
  | 'tags_list'
  | 'aliases_list'

/** Handlers for tags and aliases of object versions. */
export function objectLabelsHandlers(deps: Deps): Pick<Handlers, LabelOperation> {
  const { db } = deps
  return {
    obj_add_tags: async ({ project_id, object_id, digest, tags }, caller) => {
      const names = checkTags(tags)
      const version = await readDigest(deps, project_id, object_id, digest)
      const added = names.map((label) => ({ object_id, digest: version, kind: 'tag', label }) as const)
      await writeLabels(deps, project_id, object_id, added, caller, false)
      return {}
    },

    obj_remove_tags: async ({ project_id, object_id, digest, tags }, caller) => {
      const version = await findDigest(deps, project_id, object_id, digest)
      const removed = (await listLabels(db, project_id, [object_id])).filter(
        (each) => each.kind === 'tag' && each.digest === version && tags.includes(each.label),
      )
      await writeLabels(deps, project_id, object_id, removed, caller, true)
      return {}
    },

    obj_set_aliases: async ({ project_id, object_id, digest, aliases }, caller) => {
      const names = checkAliases(aliases)
      const version = await readDigest(deps, project_id, object_id, digest)
      const set = names.map((label) => ({ object_id, digest: version, kind: 'alias', label }) as const)
      await writeLabels(deps, project_id, object_id, set, caller, false)
      return {}
    },

    obj_remove_aliases: async ({ project_id, object_id, aliases }, caller) => {
      const names = checkAliases(aliases)
      const removed = (await listLabels(db, project_id, [object_id])).filter(
        (each) => each.kind === 'alias' && names.includes(each.label),
      )
      await writeLabels(deps, project_id, object_id, removed, caller, true)
      return {}
    },

    tags_list: async ({ project_id }) => ({ tags: await listTags(db, project_id) }),
    aliases_list: async ({ project_id }) => ({ aliases: await listAliases(db, project_id) }),
  }
}

/** Writes labels with a time later than every change to the object, so that an earlier deletion does not hide them. */
async function writeLabels(
  { db, now }: Deps,
  project_id: string,
  object_id: string,
  labels: readonly Label[],
  caller: Caller,
  is_deleted: boolean,
): Promise<void> {
  if (labels.length === 0) return
  const at = laterTime(now(), await findLastModified(db, project_id, object_id))
  await insertLabels(db, project_id, labels, { wb_user_id: caller.user_id, at, is_deleted })
}

async function readDigest(
  deps: Deps,
  project_id: string,
  object_id: string,
  digest: string,
): Promise<string> {
  const found = await findDigest(deps, project_id, object_id, digest)
  if (found === undefined) throw new ApiError('not_found', `Obj ${object_id}:${digest} not found`)
  return found
}

/** The digest of a version that is not deleted; undefined if there is none. */
async function findDigest(
  { db }: Deps,
  project_id: string,
  object_id: string,
  digest: string,
): Promise<string | undefined> {
  const row = await findVersion(db, project_id, object_id, parseVersionSelector(digest))
  return row === undefined || row.is_alive === 0 ? undefined : row.digest
}
