import type { RawJson } from '../../contract/raw-json.ts'
import { entries, numberValue } from '../json/navigate.ts'

/** The scores that can be compared: leaves of the scorers' outputs that are numbers or booleans. */
export interface ScorePath {
  readonly name: string
  readonly path: readonly string[]
  /** Whether all values seen are booleans. */
  readonly isShare: boolean
}

const MAX_DEPTH = 12
/** Per run; a scorer that writes new keys for each example has no metrics in common. */
const MAX_SCORES = 50

/** Collects the leaves of the scores of some trials. */
export function scorePaths(documents: readonly RawJson[]): ScorePath[] {
  const found = new Map<string, ScorePath>()
  const visit = (value: RawJson, path: readonly string[]): void => {
    if (path.length > MAX_DEPTH) return
    if (value.isObject) {
      for (const [key, member] of entries(value)) visit(member, [...path, key])
      return
    }
    const isBoolean = value.text === 'true' || value.text === 'false'
    if (path.length === 0 || (!isBoolean && numberValue(value) === undefined)) return
    const name = path.join('.')
    found.set(name, { name, path, isShare: isBoolean && found.get(name)?.isShare !== false })
  }
  for (const document of documents) visit(document, [])
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_SCORES)
}
