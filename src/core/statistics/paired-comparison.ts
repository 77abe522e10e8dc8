import type { TimeSlice } from '../concurrency/time-slice.ts'
import { bcaInterval, bootstrapMean } from './bootstrap.ts'
import { CONFIDENCE, type Interval } from './interval.ts'
import { MAX_GROUPS } from './mean-interval.ts'
import { groupMeans, mean, standardDeviation } from './moments.ts'
import { signFlipTest } from './permutation.ts'
import { minimalDetectableDifference } from './power.ts'
import { seededRandom } from './random.ts'
import { mcNemar, shareDifference } from './yes-no.ts'

/** Compares two systems by the scores of the examples that both have. */

export interface PairedComparison {
  /** Examples with a score of both. */
  readonly count: number
  readonly baseline: number
  readonly candidate: number
  /** Candidate minus baseline. */
  readonly difference: number
  /** 95 % interval of the difference. */
  readonly interval: Interval
  /** Interval of the difference at the confidence that was asked for, such as one that holds for all metrics together. */
  readonly jointInterval: Interval
  /** Probability of a difference as large if both are equal. */
  readonly p: number
  readonly method: 'mcnemar' | 'permutation'
  /** The smallest true difference that this many examples show in 80 % of the cases. */
  readonly detectable: number
  readonly standardDeviation: number
  /** Examples that became better, worse, and stayed equal. */
  readonly higher: number
  readonly lower: number
  readonly equal: number
  /** Only for yes/no scores. */
  readonly exactP: number | undefined
}

interface Options {
  readonly seed: string
  readonly slice: TimeSlice
  /** Of `jointInterval`. */
  readonly jointConfidence?: number
  readonly resamples?: number
}

/** `baseline` and `candidate` have the score of one example at each index. Undefined without examples. */
export async function comparePaired(
  baseline: Float64Array,
  candidate: Float64Array,
  options: Options,
): Promise<PairedComparison | undefined> {
  const count = baseline.length
  if (count === 0) return undefined
  const differences = candidate.map((value, i) => value - (baseline[i] ?? 0))
  let [higher, lower, isYesNo] = [0, 0, true]
  for (const [i, value] of differences.entries()) {
    if (value > 0) higher++
    else if (value < 0) lower++
    if (!isBit(baseline[i]) || !isBit(candidate[i])) isYesNo = false
  }
  const counts = { count, higher, lower, equal: count - higher - lower }
  const deviation = standardDeviation(differences)
  return {
    ...counts,
    baseline: mean(baseline),
    candidate: mean(candidate),
    difference: mean(differences),
    standardDeviation: deviation,
    detectable: minimalDetectableDifference(deviation, count),
    ...(isYesNo ? compareShares(counts, options) : await compareMeans(differences, options)),
  }
}

type Tested = Pick<PairedComparison, 'interval' | 'jointInterval' | 'p' | 'exactP' | 'method'>

function compareShares(
  { count, higher, lower }: Pick<PairedComparison, 'count' | 'higher' | 'lower'>,
  { jointConfidence = CONFIDENCE }: Options,
): Tested {
  const pairs = { count, onlyFirst: lower, onlySecond: higher }
  const { midP, exact } = mcNemar(pairs)
  return {
    interval: shareDifference(pairs),
    jointInterval: shareDifference(pairs, jointConfidence),
    p: midP,
    exactP: exact,
    method: 'mcnemar',
  }
}

async function compareMeans(
  differences: Float64Array,
  { seed, slice, jointConfidence = CONFIDENCE, resamples }: Options,
): Promise<Tested> {
  const random = seededRandom(seed)
  const grouped = groupMeans(differences, random, MAX_GROUPS)
  const means = await bootstrapMean(grouped, random, slice, resamples)
  return {
    interval: bcaInterval(means),
    jointInterval: bcaInterval(means, jointConfidence),
    p: await signFlipTest(grouped, random, slice, resamples),
    exactP: undefined,
    method: 'permutation',
  }
}

function isBit(value: number | undefined): boolean {
  return value === 0 || value === 1
}
