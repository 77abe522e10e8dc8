import { createHash } from 'node:crypto'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { canonicalJson } from '../json/canonical-json.ts'

/** Names of content, as clients compute them too: the same bytes have the same digest on every server. */

/** Of a file's bytes. Letters and digits only, so that it fits into refs: `-` is written `X`, `_` is written `Y`. */
export function contentDigest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
}

/** Of an object's or a row's value. */
export function valueDigest(value: RawJson): string {
  return contentDigest(canonicalJson(value, internalRef))
}

/** Of a table: its rows, in order, with their duplicates. */
export function tableDigest(row_digests: readonly string[]): string {
  const hash = createHash('sha256')
  for (const digest of row_digests) hash.update(digest)
  return hash.digest('hex')
}

/** What stands for a project inside digests; it may hold no slash. */
export function internalProjectId(project_id: string): string {
  return Buffer.from(project_id).toString('base64url')
}

/** Refs count in digests by the project they mean, not by the name it goes by. */
function internalRef(text: string): string {
  if (!text.startsWith(REF_PREFIX)) return text
  const [entity, project, ...tail] = text.slice(REF_PREFIX.length).split('/')
  if (!entity || !project || tail.length === 0) return text
  return `weave-trace-internal:///${internalProjectId(`${entity}/${project}`)}/${tail.join('/')}`
}
