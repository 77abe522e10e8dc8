import type { MetricComparison, RunComparison } from '../../contract/evaluations/comparison.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import { ExampleScores, type RunScores, type TrialSummary } from '../../core/evaluations/example-scores.ts'
import { type ScorePath, scorePaths } from '../../core/evaluations/score-paths.ts'
import { holm } from '../../core/statistics/holm.ts'
import { meanInterval } from '../../core/statistics/mean-interval.ts'
import { comparePaired, type PairedComparison } from '../../core/statistics/paired-comparison.ts'
import { examplesFor } from '../../core/statistics/power.ts'
import { passAlways, passAtLeastOnce, partsOfTotals } from '../../core/statistics/trials.ts'
import {
  listVariances,
  sampleScores,
  streamExampleScores,
  type TwoRuns,
} from '../../store/evaluations/example-scores.ts'
import type { Deps } from '../deps.ts'

/** Compares two evaluation runs example by example. */

interface Options {
  readonly lowerIsBetter?: readonly string[]
  readonly includeVariance?: boolean
  /** Examples that do not count, such as those that are known to be flaky. */
  readonly ignored?: ReadonlySet<string>
}

/** Fewer examples decide nothing. */
const MIN_EXAMPLES = 20
const SIGNIFICANCE = 0.05
const MAX_FLAKY = 50

export async function compareRuns(
  { db }: Pick<Deps, 'db'>,
  runs: TwoRuns,
  { lowerIsBetter = [], includeVariance = false, ignored }: Options = {},
): Promise<RunComparison> {
  if (runs.baseline === runs.run)
    throw new ApiError('invalid_request', 'a run cannot be compared with itself; name two runs')
  const paths = scorePaths((await sampleScores(db, runs)).map((text) => RawJson.fromText(text)))
  const scores = new ExampleScores(paths.length)
  const slice = new TimeSlice()
  if (paths.length > 0) {
    for await (const batch of streamExampleScores(db, runs, paths).batches) {
      for (const { key, call_id, s } of batch) {
        if (ignored?.has(key) !== true) scores.add(key, call_id, s)
        if (slice.isOver) await slice.next()
      }
    }
  }
  const compared = await comparePaths(paths, scores, slice)
  const adjusted = holm(compared.map(({ result }) => result.p))
  const variances = includeVariance && compared.length > 0 ? await listVariances(db, runs, paths) : []
  const metrics: MetricComparison[] = []
  for (const [i, { path, index, missing, result, runInterval }] of compared.entries()) {
    const lower_is_better = lowerIsBetter.includes(path.name)
    const p_adjusted = adjusted[i] ?? 1
    const parts = variances.find(({ metric }) => metric === index + 1)
    const variance = parts && partsOfTotals(parts)
    const trials = trialSummaries(path, scores, index)
    metrics.push({
      name: path.name,
      is_share: path.isShare,
      lower_is_better,
      verdict: verdictOf(result, p_adjusted, lower_is_better),
      examples: result.count,
      missing,
      baseline: result.baseline,
      run: result.candidate,
      difference: result.difference,
      interval: result.interval,
      joint_interval: result.jointInterval,
      run_interval: runInterval,
      p: result.p,
      p_exact: result.exactP ?? null,
      p_adjusted,
      method: result.method,
      detectable: result.detectable,
      examples_needed:
        result.difference === 0
          ? null
          : Math.min(Number.MAX_SAFE_INTEGER, examplesFor(result.difference, result.standardDeviation)),
      improved: lower_is_better ? result.lower : result.higher,
      regressed: lower_is_better ? result.higher : result.lower,
      unchanged: result.equal,
      trials,
      flaky_examples: trials === null || !path.isShare ? [] : flakyExamples(scores, index),
      variance:
        variance === undefined
          ? null
          : {
              answers: variance.answers,
              judge: variance.judge ?? null,
              repeated_answers: variance.repeated,
            },
    })
    await slice.next()
  }
  return { ...runs, examples: countExamples(scores), metrics }
}

interface ComparedPath {
  readonly path: ScorePath
  readonly index: number
  readonly missing: number
  readonly result: PairedComparison
  readonly runInterval: MetricComparison['run_interval']
}

async function comparePaths(
  paths: readonly ScorePath[],
  scores: ExampleScores,
  slice: TimeSlice,
): Promise<ComparedPath[]> {
  const shared = paths.map((path, index) => ({ path, index })).filter(({ index }) => scores.hasPairs(index))
  const jointConfidence = 1 - SIGNIFICANCE / Math.max(1, shared.length)
  const compared: ComparedPath[] = []
  for (const { path, index } of shared) {
    await slice.next()
    const { baseline, run, missing } = scores.pairs(index)
    const options = { seed: path.name, slice, jointConfidence }
    const result = await comparePaired(baseline, run, options)
    if (result === undefined) continue
    const runInterval = await meanInterval(run, { seed: path.name, slice })
    compared.push({ path, index, missing, result, runInterval })
  }
  return compared
}

function verdictOf(
  { count, difference, interval }: PairedComparison,
  p: number,
  isLowerBetter: boolean,
): MetricComparison['verdict'] {
  if (count < MIN_EXAMPLES) return 'too_few'
  const isClear = p <= SIGNIFICANCE && (interval.low > 0 || interval.high < 0)
  if (!isClear) return 'no_difference'
  return difference > 0 === !isLowerBetter ? 'better' : 'worse'
}

function countExamples({ keys, baseline, run }: ExampleScores): RunComparison['examples'] {
  const counts = { baseline: 0, run: 0, both: 0 }
  for (let i = 0; i < keys.length; i++) {
    const inBaseline = baseline.some((column) => (column.counts[i] ?? 0) > 0)
    const inRun = run.some((column) => (column.counts[i] ?? 0) > 0)
    if (inBaseline) counts.baseline++
    if (inRun) counts.run++
    if (inBaseline && inRun) counts.both++
  }
  return counts
}

function trialSummaries(path: ScorePath, scores: ExampleScores, index: number): MetricComparison['trials'] {
  const baseline = trialSummary(path, scores.baseline[index])
  const run = trialSummary(path, scores.run[index])
  return baseline.count < 2 && run.count < 2 ? null : { baseline, run }
}

/** Over the examples with as many trials as the one with most of them. */
function trialSummary(
  { isShare }: ScorePath,
  { sums, counts }: RunScores = { sums: [], counts: [] },
): TrialSummary {
  const count = counts.reduce((most, each) => Math.max(most, each), 0)
  let [flaky, once, always, complete] = [0, 0, 0, 0]
  for (const [i, sum] of sums.entries()) {
    const own = counts[i] ?? 0
    if (sum > 0 && sum < own) flaky++
    if (own < count || count === 0) continue
    complete++
    once += passAtLeastOnce(sum, own, count)
    always += passAlways(sum, own, count)
  }
  const isKnown = isShare && complete > 0
  return {
    count,
    flaky: isShare ? flaky : 0,
    pass_at_least_once: isKnown ? once / complete : null,
    pass_always: isKnown ? always / complete : null,
  }
}

/** Those whose trials are closest to half and half. */
function flakyExamples(
  { keys, callIds, run }: ExampleScores,
  index: number,
): MetricComparison['flaky_examples'] {
  const { sums = [], counts = [] } = run[index] ?? {}
  return keys
    .flatMap((key, i) => {
      const [sum = 0, trials = 0] = [sums[i], counts[i]]
      return sum > 0 && sum < trials ? [{ key, call_id: callIds[i] ?? '', mean: sum / trials, trials }] : []
    })
    .sort((a, b) => Math.abs(a.mean - 0.5) - Math.abs(b.mean - 0.5))
    .slice(0, MAX_FLAKY)
}
