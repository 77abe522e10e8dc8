import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** One score of a trial. */
export type ScoreValue = number | boolean | string

const MAX_DEPTH = 12
const MAX_TEXT_CHARACTERS = 300

/** Collects every leaf of the scorer results, keyed by scorer name and path. */
export function trialScores(scores: string): ReadonlyMap<string, ScoreValue> {
  const found = new Map<string, ScoreValue>()
  const at = skipSpace(scores, 0)
  if (at < scores.length) collectScores(scores, at, [], found)
  return found
}

function collectScores(
  text: string,
  at: number,
  path: readonly string[],
  found: Map<string, ScoreValue>,
): void {
  if (path.length > MAX_DEPTH || kindAt(text, at) !== 'object') return
  eachChild(text, at, (keyAt, valueAt, end) => {
    const childPath = [...path, stringAt(text, keyAt)]
    const name = childPath.join('.')
    switch (kindAt(text, valueAt)) {
      case 'object':
        collectScores(text, valueAt, childPath, found)
        break
      case 'number':
        found.set(name, Number(text.slice(valueAt, end)))
        break
      case 'boolean':
        found.set(name, text.slice(valueAt, end) === 'true')
        break
      case 'string':
        found.set(name, stringAt(text, valueAt, end).slice(0, MAX_TEXT_CHARACTERS))
        break
      case 'array':
      case 'null':
        break
    }
  })
}
