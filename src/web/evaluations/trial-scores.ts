import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** One thing that a scorer said of a trial. */
export type ScoreValue = number | boolean | string

const DEEPEST = 12
const MOST_CHARACTERS = 300

/** Every leaf of what the scorers answered, by the scorer's name and the way to the leaf. */
export function trialScores(scores: string): ReadonlyMap<string, ScoreValue> {
  const found = new Map<string, ScoreValue>()
  const at = skipSpace(scores, 0)
  if (at < scores.length) gather(scores, at, [], found)
  return found
}

function gather(text: string, at: number, path: readonly string[], found: Map<string, ScoreValue>): void {
  if (path.length > DEEPEST || kindAt(text, at) !== 'object') return
  eachChild(text, at, (keyAt, valueAt, end) => {
    const below = [...path, stringAt(text, keyAt)]
    const name = below.join('.')
    switch (kindAt(text, valueAt)) {
      case 'object':
        gather(text, valueAt, below, found)
        break
      case 'number':
        found.set(name, Number(text.slice(valueAt, end)))
        break
      case 'boolean':
        found.set(name, text.slice(valueAt, end) === 'true')
        break
      case 'string':
        found.set(name, stringAt(text, valueAt, end).slice(0, MOST_CHARACTERS))
        break
      case 'array':
      case 'null':
        break
    }
  })
}
