import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { valueAt } from '../json/value-at.ts'

/** An aggregated score of a run. */
export interface RunScore {
  /** The scorer name and the path into its result. */
  readonly name: string
  readonly value: number
  /** The value is a share of examples, not a mean. */
  readonly isShare: boolean
}

/** Maximum nesting of scorer results. */
const MAX_DEPTH = 12

/** Reads the scores from the output of an evaluation run: `{scorer: {correct: {true_fraction}, score: {mean}}}`. */
export function runScores(output: string): readonly RunScore[] {
  const scores: RunScore[] = []
  const at = skipSpace(output, 0)
  if (at < output.length && kindAt(output, at) === 'object') collectScores(output, at, [], scores)
  return scores
}

/** The mean latency of the model, from the output of an evaluation run: `{model_latency: {mean}}`, in seconds. */
export function meanLatencyMs(output: string): number | undefined {
  const mean = Number(valueAt(output, ['model_latency', 'mean']) ?? Number.NaN)
  return Number.isFinite(mean) ? mean * 1000 : undefined
}

/** Keys beside the scores that are shown elsewhere. */
const NON_SCORE_KEYS = new Set(['model_latency'])

function collectScores(text: string, at: number, path: readonly string[], scores: RunScore[]): void {
  if (path.length > MAX_DEPTH) return
  const members: [key: string, at: number, end: number][] = []
  eachChild(text, at, (keyAt, valueAt, end) => void members.push([stringAt(text, keyAt), valueAt, end]))
  const hasShare = members.some(([key]) => key === 'true_fraction')
  for (const [key, valueAt, end] of members) {
    const kind = kindAt(text, valueAt)
    const isTopLevel = path.length === 0
    if (kind === 'object' && !(isTopLevel && NON_SCORE_KEYS.has(key)))
      collectScores(text, valueAt, [...path, key], scores)
    // `true_fraction` replaces `true_count`.
    if (kind !== 'number' || (key === 'true_count' && hasShare)) continue
    const isShare = key === 'true_fraction'
    const isAggregate = isShare || key === 'mean'
    const name = (isAggregate && !isTopLevel ? path : [...path, key]).join('.')
    scores.push({ name, value: Number(text.slice(valueAt, end)), isShare })
  }
}
