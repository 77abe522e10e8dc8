import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

const MAX_DEPTH = 5
const MAX_PATHS = 400

/**
 * Collects the paths of all values in a JSON document, in the query language. The text may be truncated. Only the first
 * item of an array is visited.
 */
export function collectPaths(root: string, text: string, found = new Set<string>()): Set<string> {
  const at = skipSpace(text, 0)
  if (at < text.length) walk(text, at, root, 0, found)
  return found
}

function walk(text: string, at: number, path: string, depth: number, found: Set<string>): void {
  if (at >= text.length || depth > MAX_DEPTH || found.size >= MAX_PATHS) return
  const kind = kindAt(text, at)
  if (kind !== 'object' && kind !== 'array') {
    found.add(path)
    return
  }
  eachChild(text, at, (keyAt, valueAt) => {
    if (keyAt === -1) {
      walk(text, valueAt, `${path}.0`, depth + 1, found)
      return false
    }
    // Ignores a truncated key.
    if (valueAt >= text.length) return false
    const key = stringAt(text, keyAt)
    if (key.length <= 60) walk(text, valueAt, `${path}.${escapeKey(key)}`, depth + 1, found)
    return found.size < MAX_PATHS
  })
}

export function escapeKey(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.')
}
