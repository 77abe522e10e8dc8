import { createHash } from 'node:crypto'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Content digests. Clients compute the same ones, so they are equal on every server. See
 * docs/decisions/0007-objects.md.
 */

/** Digest of bytes. Letters and digits only, so that it fits into refs: `-` becomes `X`, `_` becomes `Y`. */
export function contentDigest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
}

/** Digest of the value of an object or a table row. */
export function valueDigest(value: RawJson): string {
  return contentDigest(canonicalJson(value, internalRef))
}

/** Digest of a table: of its row digests in order, duplicates included. */
export function tableDigest(row_digests: readonly string[]): string {
  const hash = createHash('sha256')
  for (const digest of row_digests) hash.update(digest)
  return hash.digest('hex')
}

/** The project id that digests contain. It must not contain a slash. */
export function internalProjectId(project_id: string): string {
  return Buffer.from(project_id).toString('base64url')
}

/** Digests contain refs with the internal project id instead of the project's name. */
function internalRef(text: string): string {
  if (!text.startsWith(REF_PREFIX)) return text
  const [entity, project, ...tail] = text.slice(REF_PREFIX.length).split('/')
  if (!entity || !project || tail.length === 0) return text
  return `weave-trace-internal:///${internalProjectId(`${entity}/${project}`)}/${tail.join('/')}`
}
