import { ApiError } from '../../contract/api-error.ts'

/** The scores of two runs by example, in columns: a list of 100,000 objects would take ten times the memory. */

/** Sums and counts of one score over the trials of an example. */
export interface RunScores {
  readonly sums: number[]
  readonly counts: number[]
}

/** Examples times scores. */
const MAX_VALUES = 2_000_000

export class ExampleScores {
  readonly keys: string[] = []
  /** A trial of the run, if its trials differ in some score. */
  readonly callIds: string[] = []
  readonly baseline: readonly RunScores[]
  readonly run: readonly RunScores[]
  readonly #metrics: number

  constructor(metrics: number) {
    const columns = (): RunScores[] => Array.from({ length: metrics }, () => ({ sums: [], counts: [] }))
    this.baseline = columns()
    this.run = columns()
    this.#metrics = metrics
  }

  /** `values` has the sum and count of the baseline, then of the run, for each metric. */
  add(key: string, callId: string, values: readonly number[]): void {
    this.keys.push(key)
    this.callIds.push(callId)
    if (this.keys.length * this.#metrics > MAX_VALUES)
      throw new ApiError(
        'unprocessable',
        `the runs have more than ${MAX_VALUES} scores; compare parts of the dataset`,
      )
    for (let metric = 0; metric < this.#metrics; metric++) {
      for (const [i, columns] of [this.baseline, this.run].entries()) {
        columns[metric]?.sums.push(values[metric * 4 + i * 2] ?? 0)
        columns[metric]?.counts.push(values[metric * 4 + i * 2 + 1] ?? 0)
      }
    }
  }

  /** Whether some example has a score in both runs. */
  hasPairs(metric: number): boolean {
    const second = this.run[metric]?.counts
    return this.baseline[metric]?.counts.some((count, i) => count > 0 && (second?.[i] ?? 0) > 0) === true
  }

  /** The means of a score of the examples that both runs have it of. */
  pairs(metric: number): { baseline: Float64Array; run: Float64Array; missing: number } {
    const [first, second] = [this.baseline[metric], this.run[metric]]
    const both: number[] = []
    let missing = 0
    for (let i = 0; i < this.keys.length; i++) {
      const [a = 0, b = 0] = [first?.counts[i], second?.counts[i]]
      if (a > 0 && b > 0) both.push(i)
      else if (a > 0 || b > 0) missing++
    }
    const means = (columns: RunScores | undefined): Float64Array =>
      Float64Array.from(both, (i) => (columns?.sums[i] ?? 0) / (columns?.counts[i] ?? 1))
    return { baseline: means(first), run: means(second), missing }
  }
}

export interface TrialSummary {
  readonly count: number
  readonly flaky: number
  readonly pass_at_least_once: number | null
  readonly pass_always: number | null
}
