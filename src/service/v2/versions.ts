import type { ObjectFilter, ObjectVersion } from '../../contract/objects/objects.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { stringMember } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import type { V1Handlers } from './v1-handlers.ts'

/** Object versions as the v2 routes for datasets, models, ops, scorers and evaluations use them. */

/** The kind of objects that a v2 route handles. */
export interface ObjectKind {
  /** Name of the kind in error messages. */
  readonly label: string
  readonly filter: ObjectFilter
  readonly matches: (version: ObjectVersion) => boolean
}

/** Objects of a class and its subclasses. */
export function classKind(name: string): ObjectKind {
  return {
    label: name,
    filter: { base_object_classes: [name], is_op: false },
    matches: (version) => version.base_object_class === name,
  }
}

export interface PublishedVersion {
  readonly digest: string
  readonly object_id: string
  readonly version_index: number
}

interface NewVersion {
  readonly project_id: string
  readonly object_id: string
  readonly val: RawJson
}

/** Publishes a version of an object. */
export async function publish(v1: V1Handlers, obj: NewVersion, caller: Caller): Promise<PublishedVersion> {
  const { project_id } = obj
  const { digest, object_id } = await v1.obj_create({ obj }, caller)
  const { obj: version } = await v1.obj_read({ project_id, object_id, digest, metadata_only: true }, caller)
  return { digest, object_id, version_index: version.version_index }
}

/** Turns a display name into an object id that refs can contain. */
export function toObjectId(name: string | null | undefined, fallback: string): string {
  if (name === null || name === undefined) return fallback
  const object_id = name
    .replaceAll(/[ /]/g, '_')
    .replaceAll(/[^\p{L}\p{N}\p{M}_.-]/gu, '')
    .toLowerCase()
  if (object_id === '')
    throw new ApiError('invalid_request', `the name "${name}" must contain a letter, digit, "_", "." or "-"`)
  return object_id
}

export function objectRef(project_id: string, { object_id, digest }: PublishedVersion): string {
  return formatRef({ kind: 'object', project_id, name: object_id, digest, path: [] })
}

interface VersionRequest {
  readonly project_id: string
  readonly object_id: string
  readonly digest: string
}

/** The handlers that read, list and delete versions of one kind are the same for all kinds but the view. */
export function versionHandlers<View>(
  v1: V1Handlers,
  kind: ObjectKind,
  view: (version: ObjectVersion, caller: Caller) => View | Promise<View>,
) {
  return {
    read: async (request: VersionRequest, caller: Caller): Promise<View> =>
      view(await readVersion(v1, kind, request, caller), caller),
    list: async (request: ListRequest, caller: Caller): Promise<AsyncGenerator<View>> =>
      listVersions(v1, kind, request, caller, view),
    delete: (request: DeleteRequest, caller: Caller) => deleteVersions(v1, kind, request, caller),
  }
}

async function readVersion(
  v1: V1Handlers,
  kind: ObjectKind,
  { project_id, object_id, digest }: VersionRequest,
  caller: Caller,
): Promise<ObjectVersion> {
  const { obj } = await v1.obj_read({ project_id, object_id, digest }, caller)
  if (!kind.matches(obj)) throw new ApiError('not_found', `${kind.label} ${object_id}:${digest} not found`)
  return obj
}

interface ListRequest {
  readonly project_id: string
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

async function* listVersions<View>(
  v1: V1Handlers,
  kind: ObjectKind,
  { project_id, limit, offset }: ListRequest,
  caller: Caller,
  view: (version: ObjectVersion, caller: Caller) => View | Promise<View>,
): AsyncGenerator<View> {
  const { objs } = await v1.objs_query({ project_id, filter: kind.filter, limit, offset }, caller)
  for (const obj of objs) yield await view(obj, caller)
}

interface DeleteRequest {
  readonly project_id: string
  readonly object_id: string
  readonly digests?: readonly string[] | null | undefined
}

async function deleteVersions(
  v1: V1Handlers,
  kind: ObjectKind,
  { project_id, object_id, digests }: DeleteRequest,
  caller: Caller,
): Promise<{ num_deleted: number }> {
  // The object may be of another kind: a route for datasets must not delete a model.
  const filter = { ...kind.filter, object_ids: [object_id] }
  const { objs } = await v1.objs_query({ project_id, filter, metadata_only: true, limit: 1 }, caller)
  if (objs.length === 0) throw new ApiError('not_found', `${kind.label} ${object_id} not found`)
  const wanted = digests === null || digests === undefined ? undefined : [...digests]
  const { num_deleted } = await v1.obj_delete({ project_id, object_id, digests: wanted }, caller)
  return { num_deleted }
}

/** Members common to all version views. */
export function versionView({ object_id, digest, version_index, created_at }: ObjectVersion) {
  return { object_id, digest, version_index, created_at }
}

/** The same, with name and description. */
export function namedVersionView(obj: ObjectVersion) {
  return {
    ...versionView(obj),
    name: stringMember(obj.val, 'name') ?? obj.object_id,
    description: stringMember(obj.val, 'description') ?? null,
  }
}
