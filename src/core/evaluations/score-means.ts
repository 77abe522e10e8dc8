import type { RawJson } from '../../contract/raw-json.ts'
import { entries, find, numberValue } from '../json/navigate.ts'

interface Tally {
  count: number
  sum: number
}

/**
 * Aggregates the trials of a run: mean of each scorer's numbers, count and fraction of true values, and mean of
 * numeric model outputs. The keys are those of the SDKs' summaries.
 */
export class ScoreMeans {
  readonly #numbers = new Map<string, Tally>()
  readonly #truths = new Map<string, Tally>()
  readonly #outputs: Tally = { count: 0, sum: 0 }

  /** The output of one trial: `{output, scores, …}`. */
  add(trial: RawJson): void {
    const output = find(trial, 'output')
    const number = output === undefined ? undefined : numberValue(output)
    if (number !== undefined) addTo(this.#outputs, number)
    const scores = find(trial, 'scores')
    for (const [scorer, value] of scores === undefined ? [] : entries(scores)) {
      const score = numberValue(value)
      if (score !== undefined) addTo(tallyOf(this.#numbers, scorer), score)
      else if (value.text === 'true' || value.text === 'false')
        addTo(tallyOf(this.#truths, scorer), value.text === 'true' ? 1 : 0)
    }
  }

  entries(): [string, unknown][] {
    const found = new Map<string, object>()
    for (const [scorer, { sum, count }] of this.#truths)
      found.set(scorer, { true_count: sum, true_fraction: sum / count })
    for (const [scorer, { sum, count }] of this.#numbers)
      found.set(scorer, { ...found.get(scorer), mean: sum / count })
    const { sum, count } = this.#outputs
    if (count > 0 && !found.has('output')) found.set('output', { mean: sum / count })
    return [...found]
  }
}

function tallyOf(tallies: Map<string, Tally>, scorer: string): Tally {
  const tally = tallies.get(scorer) ?? { count: 0, sum: 0 }
  tallies.set(scorer, tally)
  return tally
}

function addTo(tally: Tally, number: number): void {
  tally.count++
  tally.sum += number
}
