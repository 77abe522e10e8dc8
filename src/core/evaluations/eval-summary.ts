import type { RawJson } from '../../contract/raw-json.ts'
import type { EvalScorerStats, EvalSummary, EvalTrial } from '../../contract/v2/eval-results.ts'
import { entries, numberValue, stringValue } from '../json/navigate.ts'

/** The fields of an evaluation run that do not come from its trials. */
export type EvalRunInfo = Pick<
  EvalSummary,
  'evaluation_ref' | 'model_ref' | 'display_name' | 'trace_id' | 'started_at'
>

/** Builds the summary of one evaluation from its trials. */
export class EvalSummaryBuilder {
  readonly #evaluation_call_id: string
  readonly #stats = new Map<string, EvalScorerStats>()
  #trials = 0
  #tokens: number | null = null
  #cost: number | null = null

  constructor(evaluation_call_id: string) {
    this.#evaluation_call_id = evaluation_call_id
  }

  add(trial: EvalTrial): void {
    this.#trials++
    if (trial.total_tokens !== null) this.#tokens = (this.#tokens ?? 0) + trial.total_tokens
    if (trial.total_cost !== null) this.#cost = (this.#cost ?? 0) + trial.total_cost
    for (const [scorer, value] of entries(trial.scores)) this.#addScore(scorer, [], value)
  }

  /** Each leaf value of a scorer's output has its own statistics. */
  #addScore(scorer_key: string, path: readonly string[], value: RawJson): void {
    if (value.isObject) {
      for (const [key, member] of entries(value)) this.#addScore(scorer_key, [...path, key], member)
      return
    }
    const number = numberValue(value)
    const isBoolean = value.text === 'true' || value.text === 'false'
    if (!isBoolean && number === undefined && stringValue(value) === undefined) return
    const value_type = isBoolean ? 'binary' : number === undefined ? 'text' : 'continuous'
    const before = this.#statsOf(scorer_key, path.length === 0 ? null : path.join('.'), value_type)
    const stats = { ...before, trial_count: before.trial_count + 1 }
    if (isBoolean) {
      stats.pass_known_count++
      if (value.text === 'true') stats.pass_true_count++
    }
    if (number !== undefined) {
      const sum = (stats.numeric_mean ?? 0) * stats.numeric_count + number
      stats.numeric_count++
      stats.numeric_mean = sum / stats.numeric_count
    }
    this.#stats.set(JSON.stringify([scorer_key, stats.path]), stats)
  }

  #statsOf(
    scorer_key: string,
    path: string | null,
    value_type: EvalScorerStats['value_type'],
  ): EvalScorerStats {
    const known = this.#stats.get(JSON.stringify([scorer_key, path]))
    if (known !== undefined) return known
    const counts = { trial_count: 0, numeric_count: 0, pass_true_count: 0, pass_known_count: 0 }
    const none = { numeric_mean: null, pass_rate: null, pass_signal_coverage: null }
    return { scorer_key, path, value_type, ...counts, ...none }
  }

  summary(root: EvalRunInfo): EvalSummary {
    return {
      evaluation_call_id: this.#evaluation_call_id,
      trial_count: this.#trials,
      scorer_stats: [...this.#stats.values()].map((stats) => ({
        ...stats,
        pass_rate: stats.pass_known_count === 0 ? null : stats.pass_true_count / stats.pass_known_count,
        pass_signal_coverage: stats.trial_count === 0 ? null : stats.pass_known_count / stats.trial_count,
      })),
      predict_total_tokens: this.#tokens,
      predict_total_cost: this.#cost,
      ...root,
    }
  }
}
