import { below, type Random } from './random.ts'

/** Means, standard deviations, and means of groups. */

export function mean(values: Float64Array | readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** Of a sample; 0 for fewer than two values. */
export function standardDeviation(values: Float64Array | readonly number[]): number {
  if (values.length < 2) return 0
  const center = mean(values)
  let squares = 0
  for (const value of values) squares += (value - center) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

/**
 * Averages values in random groups of one size, if there are more values than groups. The mean of the group means has the
 * spread and the skewness of the mean of the values, and resampling 1,000 groups is a hundred times faster than 100,000
 * values. Fewer values than a group has are left out; the groups are shifted so that their mean is that of all.
 */
export function groupMeans(values: Float64Array, random: Random, maxGroups: number): Float64Array {
  const size = Math.ceil(values.length / maxGroups)
  if (size < 2) return values
  const groups = Math.floor(values.length / size)
  const shuffled = values.slice()
  const grouped = new Float64Array(groups)
  for (let i = 0; i < size * groups; i++) {
    const from = i + below(random, shuffled.length - i)
    const value = shuffled[from] ?? 0
    shuffled[from] = shuffled[i] ?? 0
    shuffled[i] = value
    const group = i % groups
    grouped[group] = (grouped[group] ?? 0) + value / size
  }
  const shift = mean(values) - mean(grouped)
  return grouped.map((value) => value + shift)
}
