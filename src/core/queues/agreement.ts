/** Agreement between reviewers: percent agreement, Cohen's kappa and Krippendorff's alpha. */

/** A value that a reviewer gave: JSON text for categories, a number for numbers. */
export type Rating = string | number

/** `nominal`: two values are equal or not. `interval`: the difference of two numbers counts, squared. */
export type Level = 'nominal' | 'interval'

/** The values that reviewers gave to one item, by reviewer. */
export type RatedItem = ReadonlyMap<string, Rating>

export interface Agreement {
  /** Items that two or more reviewers rated. Only these count. */
  readonly items: number
  readonly reviewers: number
  /** The share of equal pairs of values, averaged over the items; null without items. */
  readonly percent_agreement: number | null
  /** Null if there is nothing to compare with chance: no items, or all values are equal. */
  readonly krippendorff_alpha: number | null
  /** For exactly two reviewers and nominal values; null otherwise. */
  readonly cohen_kappa: number | null
}

export function measureAgreement(rated: readonly RatedItem[], level: Level): Agreement {
  const items = rated.filter((item) => item.size > 1)
  const units = items.map((item) => [...item.values()])
  const reviewers = new Set(items.flatMap((item) => [...item.keys()]))
  const [first = '', second = ''] = [...reviewers].sort()
  const hasPairs = reviewers.size === 2 && level === 'nominal'
  return {
    items: items.length,
    reviewers: reviewers.size,
    percent_agreement: percentAgreement(units),
    krippendorff_alpha: krippendorffAlpha(units, level),
    cohen_kappa: hasPairs
      ? cohenKappa(items.map((item) => [item.get(first) ?? '', item.get(second) ?? '']))
      : null,
  }
}

export function percentAgreement(units: readonly (readonly Rating[])[]): number | null {
  const shares = units.filter((values) => values.length > 1).map(equalPairShare)
  return shares.length === 0 ? null : sum(shares) / shares.length
}

function equalPairShare(values: readonly Rating[]): number {
  const equalPairs = [...countsOf(values).values()].map((n) => n * (n - 1))
  return sum(equalPairs) / (values.length * (values.length - 1))
}

/** Cohen, "A coefficient of agreement for nominal scales" (1960). */
export function cohenKappa(pairs: readonly (readonly [Rating, Rating])[]): number | null {
  const observed = pairs.filter(([a, b]) => a === b).length / pairs.length
  const second = countsOf(pairs.map(([, b]) => b))
  const chances = Array.from(countsOf(pairs.map(([a]) => a)), ([value, n]) => n * (second.get(value) ?? 0))
  const expected = sum(chances) / pairs.length ** 2
  return pairs.length === 0 || expected === 1 ? null : (observed - expected) / (1 - expected)
}

/**
 * Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): one minus the observed disagreement, divided by the
 * disagreement expected by chance. Any number of reviewers, of whom not all need to rate every item.
 */
export function krippendorffAlpha(units: readonly (readonly Rating[])[], level: Level): number | null {
  const compared = units.filter((values) => values.length > 1)
  const all = compared.flat()
  const disagreement = level === 'interval' ? squaredDifferences : unequalPairs
  const observed = sum(compared.map((values) => disagreement(values) / (values.length - 1)))
  const expected = disagreement(all) / (all.length - 1)
  return all.length === 0 || expected === 0 ? null : 1 - observed / expected
}

/** The number of ordered pairs of different values. */
function unequalPairs(values: readonly Rating[]): number {
  const counts = [...countsOf(values).values()]
  return values.length ** 2 - sum(counts.map((n) => n ** 2))
}

/** The sum of (a - b)² over all ordered pairs, in linear time. */
function squaredDifferences(values: readonly Rating[]): number {
  const numbers = values.map(Number)
  const mean = sum(numbers) / numbers.length
  return 2 * numbers.length * sum(numbers.map((number) => (number - mean) ** 2))
}

function countsOf(values: readonly Rating[]): Map<Rating, number> {
  const counts = new Map<Rating, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
