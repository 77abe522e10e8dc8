import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { contentDigest, valueDigest } from '../../core/objects/digest.ts'
import { find, stringMember } from '../../core/json/navigate.ts'
import { opValue, SOURCE_FILE } from '../../core/objects/op-value.ts'
import type { Caller } from '../deps.ts'
import type { V1Handlers } from './v1-handlers.ts'

/** Source code of ops and models, stored as files. */

/** Stores source code as a file and returns the `files` member for an object's value. */
export async function storeSource(
  v1: V1Handlers,
  project_id: string,
  source: string,
  caller: Caller,
): Promise<Record<string, string>> {
  const { digest } = await v1.file_create({ project_id, file: Buffer.from(source) }, caller)
  return { [SOURCE_FILE]: digest }
}

/** Reads the source code of an object; '' if it has none: SDKs publish models whose code is in their ops. */
export async function readSource(
  v1: V1Handlers,
  project_id: string,
  val: RawJson,
  caller: Caller,
): Promise<string> {
  const files = find(val, 'files')
  const digest = files === undefined ? undefined : stringMember(files, SOURCE_FILE)
  if (digest === undefined) return ''
  try {
    return (await v1.file_content({ project_id, digest }, caller)).toString('utf8')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return ''
    throw error
  }
}

/** Source of ops that only name what was called. */
export const NO_SOURCE = 'def func(*args, **kwargs):\n    ...  # the code of this op was not recorded\n'

/**
 * Returns the ref of an op without source code, publishing it if needed: calls are found by such refs. The check
 * first saves two inserts per prediction and keeps `latest` unchanged.
 */
export async function opWithoutSource(
  v1: V1Handlers,
  project_id: string,
  object_id: string,
  caller: Caller,
): Promise<string> {
  const digest = valueDigest(opValue({ [SOURCE_FILE]: contentDigest(NO_SOURCE) }))
  if (!(await isPublished(v1, { project_id, object_id, digest }, caller))) {
    const val = opValue(await storeSource(v1, project_id, NO_SOURCE, caller))
    await v1.obj_create({ obj: { project_id, object_id, val } }, caller)
  }
  return formatRef({ kind: 'op', project_id, name: object_id, digest, path: [] })
}

async function isPublished(
  v1: V1Handlers,
  version: { project_id: string; object_id: string; digest: string },
  caller: Caller,
): Promise<boolean> {
  try {
    await v1.obj_read({ ...version, metadata_only: true }, caller)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}
