import type { TimeSlice } from '../concurrency/time-slice.ts'
import { CONFIDENCE, type Interval } from './interval.ts'
import { mean } from './moments.ts'
import { RANGE, type Random } from './random.ts'
import { normalCdf, normalQuantile, studentQuantile } from './special-functions.ts'

/** Bootstrap intervals of a mean: bias-corrected and accelerated (BCa), after Efron 1987. */

const RESAMPLES = 4000

/** Of the means of that many resamples. */
export interface BootstrapMeans {
  readonly estimate: number
  /** Sorted. */
  readonly means: Float64Array
  /** A sixth of the skewness of the mean. */
  readonly acceleration: number
  readonly count: number
}

export async function bootstrapMean(
  values: Float64Array,
  random: Random,
  slice: TimeSlice,
  resamples = RESAMPLES,
): Promise<BootstrapMeans> {
  const count = values.length
  const means = new Float64Array(resamples)
  const scale = count / RANGE
  for (let i = 0; i < resamples; i++) {
    let sum = 0
    for (let n = 0; n < count; n++) sum += values[(random() * scale) | 0] ?? 0
    means[i] = sum / count
    if (slice.isOver) await slice.next()
  }
  return { estimate: mean(values), means: means.sort(), acceleration: accelerationOf(values), count }
}

function accelerationOf(values: Float64Array): number {
  const center = mean(values)
  let [squares, cubes] = [0, 0]
  for (const value of values) {
    squares += (value - center) ** 2
    cubes += (value - center) ** 3
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}

/**
 * The interval of the mean. `isExpanded` makes up for few values, after Hesterberg 2015: a bootstrap takes the spread of the sample
 * for that of the population, so that of 30 values its 95 % intervals contain the mean in 93 % of the cases.
 */
export function bcaInterval(
  { estimate, means, acceleration, count }: BootstrapMeans,
  confidence = CONFIDENCE,
  isExpanded = true,
): Interval {
  if (count < 2 || means[0] === means.at(-1)) return { low: estimate, high: estimate }
  let [less, equal] = [0, 0]
  for (const each of means) {
    if (each < estimate) less++
    else if (each === estimate) equal++
  }
  const bias = normalQuantile((less + equal / 2) / means.length)
  const tail = (1 + confidence) / 2
  const width = isExpanded
    ? studentQuantile(tail, count - 1) * Math.sqrt(count / (count - 1))
    : normalQuantile(tail)
  const level = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
  return { low: quantile(means, level(-width)), high: quantile(means, level(width)) }
}

/** The quantile of sorted values, interpolated. */
function quantile(sorted: Float64Array, level: number): number {
  const at = Math.min(1, Math.max(0, level)) * (sorted.length - 1)
  const before = sorted[Math.floor(at)] ?? 0
  const after = sorted[Math.ceil(at)] ?? 0
  return before + (after - before) * (at - Math.floor(at))
}
