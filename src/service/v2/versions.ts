import type { ObjectFilter, ObjectVersion } from '../../contract/objects/objects.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { textAt } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import type { Classic } from './classic.ts'

/** Which objects a typed route shows. */
export interface ObjectKind {
  /** For messages. */
  readonly word: string
  readonly filter: ObjectFilter
  readonly isOne: (version: ObjectVersion) => boolean
}

/** Objects of a class and of the classes made from it. */
export function classKind(name: string): ObjectKind {
  return {
    word: name,
    filter: { base_object_classes: [name], is_op: false },
    isOne: (version) => version.base_object_class === name,
  }
}

export interface Published {
  readonly digest: string
  readonly object_id: string
  readonly version_index: number
}

interface NewVersion {
  readonly project_id: string
  readonly object_id: string
  readonly val: RawJson
}

export async function publish(classic: Classic, obj: NewVersion, caller: Caller): Promise<Published> {
  const { project_id } = obj
  const { digest, object_id } = await classic.obj_create({ obj }, caller)
  const { obj: version } = await classic.obj_read(
    { project_id, object_id, digest, metadata_only: true },
    caller,
  )
  return { digest, object_id, version_index: version.version_index }
}

/** A name that people chose as one that refs can hold. */
export function objectIdOf(name: string | null | undefined, otherwise: string): string {
  if (name === null || name === undefined) return otherwise
  const object_id = name
    .replaceAll(/[ /]/g, '_')
    .replaceAll(/[^\p{L}\p{N}\p{M}_.-]/gu, '')
    .toLowerCase()
  if (object_id === '')
    throw new ApiError('invalid_request', `the name "${name}" has no letter, digit, "_", "." or "-"`)
  return object_id
}

export function objectRef(project_id: string, { object_id, digest }: Published): string {
  return formatRef({ kind: 'object', project_id, name: object_id, digest, path: [] })
}

export async function readVersionOf(
  classic: Classic,
  kind: ObjectKind,
  { project_id, object_id, digest }: { project_id: string; object_id: string; digest: string },
  caller: Caller,
): Promise<ObjectVersion> {
  const { obj } = await classic.obj_read({ project_id, object_id, digest }, caller)
  if (!kind.isOne(obj)) throw new ApiError('not_found', `${kind.word} ${object_id}:${digest} not found`)
  return obj
}

interface ListRequest {
  readonly project_id: string
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

export async function* listVersionsOf<View>(
  classic: Classic,
  kind: ObjectKind,
  { project_id, limit, offset }: ListRequest,
  caller: Caller,
  view: (version: ObjectVersion) => View | Promise<View>,
): AsyncGenerator<View> {
  const { objs } = await classic.objs_query({ project_id, filter: kind.filter, limit, offset }, caller)
  for (const obj of objs) yield await view(obj)
}

interface DeleteRequest {
  readonly project_id: string
  readonly object_id: string
  readonly digests?: readonly string[] | null | undefined
}

export async function deleteVersionsOf(
  classic: Classic,
  kind: ObjectKind,
  { project_id, object_id, digests }: DeleteRequest,
  caller: Caller,
): Promise<{ num_deleted: number }> {
  // A name may be another kind's: a route of datasets deletes no model.
  const filter = { ...kind.filter, object_ids: [object_id] }
  const { objs } = await classic.objs_query({ project_id, filter, metadata_only: true, limit: 1 }, caller)
  if (objs.length === 0) throw new ApiError('not_found', `${kind.word} ${object_id} not found`)
  const wanted = digests === null || digests === undefined ? undefined : [...digests]
  const { num_deleted } = await classic.obj_delete({ project_id, object_id, digests: wanted }, caller)
  return { num_deleted }
}

/** What every view of a version begins with. */
export function viewOf({ object_id, digest, version_index, created_at }: ObjectVersion) {
  return { object_id, digest, version_index, created_at }
}

/** The same of one that people name and describe. */
export function namedViewOf(obj: ObjectVersion) {
  return {
    ...viewOf(obj),
    name: textAt(obj.val, 'name') ?? obj.object_id,
    description: textAt(obj.val, 'description') ?? null,
  }
}
