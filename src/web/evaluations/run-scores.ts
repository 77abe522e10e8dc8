import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** What a run came to by one score. */
export interface RunScore {
  /** The scorer, and the way into what it answered. */
  readonly name: string
  readonly value: number
  /** A share of examples and not a mean. */
  readonly isShare: boolean
}

/** Deeper than this no scorer answers. */
const DEEPEST = 12

/** Reads the scores out of what a run of an evaluation gave: `{scorer: {correct: {true_fraction}, score: {mean}}}`. */
export function runScores(output: string): readonly RunScore[] {
  const scores: RunScore[] = []
  const at = skipSpace(output, 0)
  if (at < output.length && kindAt(output, at) === 'object') gather(output, at, [], scores)
  return scores
}

/** Said beside the scores, and shown elsewhere. */
const NO_SCORES = new Set(['model_latency'])

function gather(text: string, at: number, path: readonly string[], scores: RunScore[]): void {
  if (path.length > DEEPEST) return
  const members: [key: string, at: number, end: number][] = []
  eachChild(text, at, (keyAt, valueAt, end) => void members.push([stringAt(text, keyAt), valueAt, end]))
  const hasShare = members.some(([key]) => key === 'true_fraction')
  for (const [key, valueAt, end] of members) {
    const kind = kindAt(text, valueAt)
    const isFirst = path.length === 0
    if (kind === 'object' && !(isFirst && NO_SCORES.has(key))) gather(text, valueAt, [...path, key], scores)
    // What was counted is told by its share.
    if (kind !== 'number' || (key === 'true_count' && hasShare)) continue
    const isShare = key === 'true_fraction'
    const isSummed = isShare || key === 'mean'
    const name = (isSummed && !isFirst ? path : [...path, key]).join('.')
    scores.push({ name, value: Number(text.slice(valueAt, end)), isShare })
  }
}
