import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { contentDigest, valueDigest } from '../../core/objects/digest.ts'
import { find, textAt } from '../../core/json/navigate.ts'
import { opValue, SOURCE_FILE } from '../../core/objects/op-value.ts'
import type { Caller } from '../deps.ts'
import type { Classic } from './classic.ts'

export async function storeSource(
  classic: Classic,
  project_id: string,
  source: string,
  caller: Caller,
): Promise<Record<string, string>> {
  const { digest } = await classic.file_create({ project_id, file: Buffer.from(source) }, caller)
  return { [SOURCE_FILE]: digest }
}

/** '' where there is none: SDKs publish models whose code is that of their ops. */
export async function readSource(
  classic: Classic,
  project_id: string,
  val: RawJson,
  caller: Caller,
): Promise<string> {
  const files = find(val, 'files')
  const digest = files === undefined ? undefined : textAt(files, SOURCE_FILE)
  if (digest === undefined) return ''
  try {
    return (await classic.file_content({ project_id, digest }, caller)).toString('utf8')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return ''
    throw error
  }
}

/** For ops whose code nobody sent: they only name what was done. */
export const NO_SOURCE = 'def func(*args, **kwargs):\n    ...  # the code of this op was not recorded\n'

/**
 * The ref of an op without code, published unless it is there: calls are found by such refs. Looking first spares
 * each prediction two inserts and leaves `latest` where it is.
 */
export async function opWithoutSource(
  classic: Classic,
  project_id: string,
  object_id: string,
  caller: Caller,
): Promise<string> {
  const digest = valueDigest(opValue({ [SOURCE_FILE]: contentDigest(NO_SOURCE) }))
  if (!(await isPublished(classic, { project_id, object_id, digest }, caller))) {
    const val = opValue(await storeSource(classic, project_id, NO_SOURCE, caller))
    await classic.obj_create({ obj: { project_id, object_id, val } }, caller)
  }
  return formatRef({ kind: 'op', project_id, name: object_id, digest, path: [] })
}

async function isPublished(
  classic: Classic,
  version: { project_id: string; object_id: string; digest: string },
  caller: Caller,
): Promise<boolean> {
  try {
    await classic.obj_read({ ...version, metadata_only: true }, caller)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}
