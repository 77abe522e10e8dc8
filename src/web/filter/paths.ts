import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

const DEEPEST = 5
const MOST = 400

/**
 * The paths that lead to values in a document, as queries spell them. The text may be the beginning of one that was cut
 * off. Of a list only the first item is looked into.
 */
export function pathsIn(root: string, text: string, found = new Set<string>()): Set<string> {
  const at = skipSpace(text, 0)
  if (at < text.length) walk(text, at, root, 0, found)
  return found
}

function walk(text: string, at: number, path: string, depth: number, found: Set<string>): void {
  if (at >= text.length || depth > DEEPEST || found.size >= MOST) return
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
    // A key that was cut off is none.
    if (valueAt >= text.length) return false
    const key = stringAt(text, keyAt)
    if (key.length <= 60) walk(text, valueAt, `${path}.${escapeKey(key)}`, depth + 1, found)
    return found.size < MOST
  })
}

function escapeKey(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.')
}
