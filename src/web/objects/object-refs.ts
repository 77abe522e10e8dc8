import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { parseRef } from '../../client/browser/ref.ts'
import { type JsonPath, queryPath } from '../json/json-path.ts'

export interface FoundRef {
  /** The path in the document. */
  readonly path: string
  readonly ref: string
}

const MAX_REFS = 200

/** Finds the refs to objects, ops and calls in a document. */
export function findRefs(text: string): readonly FoundRef[] {
  const found: FoundRef[] = []
  if (!text.includes('weave:///')) return found
  const visit = (at: number, path: JsonPath): void => {
    if (found.length === MAX_REFS) return
    const kind = kindAt(text, at)
    if (kind === 'string') {
      const ref = stringAt(text, at)
      const parsed = parseRef(ref)
      if (parsed === undefined || parsed.kind === 'table' || parsed.kind === 'file') return
      found.push({ path: queryPath('', path).slice(1), ref })
    } else if (kind === 'object' || kind === 'array') {
      let index = 0
      eachChild(text, at, (keyAt, valueAt) =>
        visit(valueAt, [...path, keyAt === -1 ? index++ : stringAt(text, keyAt)]),
      )
    }
  }
  visit(skipSpace(text, 0), [])
  return found
}
