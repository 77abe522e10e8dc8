import { CONFIDENCE, halfWidth, type Interval } from './interval.ts'
import { wilsonInterval } from './yes-no.ts'

/** How far the verdicts of a judge can be trusted, from examples that people labeled too. */

/** Examples by the verdict of the judge and of people. */
export interface ConfusionMatrix {
  /** Both said yes. */
  readonly truePositive: number
  /** Only the judge said yes. */
  readonly falsePositive: number
  /** Only people said yes. */
  readonly falseNegative: number
  /** Both said no. */
  readonly trueNegative: number
}

export interface Rate {
  readonly yes: number
  readonly count: number
  /** Undefined without a case. */
  readonly value: number | undefined
  readonly interval: Interval
}

export interface JudgeQuality {
  /** Share of the examples on which judge and people agree. */
  readonly agreement: Rate
  /** Share of what people accept that the judge accepts. */
  readonly sensitivity: Rate
  /** Share of what people reject that the judge rejects. */
  readonly specificity: Rate
  readonly kappa: Kappa | undefined
}

export function judgeQuality(matrix: ConfusionMatrix): JudgeQuality {
  const { truePositive, falsePositive, falseNegative, trueNegative } = matrix
  const count = truePositive + falsePositive + falseNegative + trueNegative
  return {
    agreement: rate(truePositive + trueNegative, count),
    sensitivity: rate(truePositive, truePositive + falseNegative),
    specificity: rate(trueNegative, trueNegative + falsePositive),
    kappa: cohensKappa([
      [truePositive, falsePositive],
      [falseNegative, trueNegative],
    ]),
  }
}

export function rate(yes: number, count: number): Rate {
  return { yes, count, value: count === 0 ? undefined : yes / count, interval: wilsonInterval(yes, count) }
}

export interface Kappa {
  readonly value: number
  readonly interval: Interval
}

/**
 * Agreement beyond chance: 0 if none, 1 if complete; the interval by the standard error of Fleiss, Cohen and Everitt 1969. Undefined if either
 * side always says the same. `table[i][j]` counts the cases of which one says i and the other says j.
 */
export function cohensKappa(
  table: readonly (readonly number[])[],
  confidence = CONFIDENCE,
): Kappa | undefined {
  const count = table.flat().reduce((sum, each) => sum + each, 0)
  const rows = table.map((row) => row.reduce((sum, each) => sum + each, 0) / count)
  const columns = table.map((_, j) => table.reduce((sum, row) => sum + (row[j] ?? 0), 0) / count)
  const observed = table.reduce((sum, row, i) => sum + (row[i] ?? 0), 0) / count
  const expected = rows.reduce((sum, row, i) => sum + row * (columns[i] ?? 0), 0)
  const isConstant = [rows, columns].some((shares) => shares.filter((share) => share > 0).length < 2)
  if (count === 0 || isConstant) return undefined
  const value = (observed - expected) / (1 - expected)
  let [diagonal, rest] = [0, 0]
  for (const [i, row] of table.entries())
    for (const [j, each] of row.entries()) {
      if (i === j) {
        const sides = (rows[i] ?? 0) + (columns[i] ?? 0)
        diagonal += (each / count) * (1 - expected - sides * (1 - observed)) ** 2
      } else rest += (each / count) * ((columns[i] ?? 0) + (rows[j] ?? 0)) ** 2
    }
  const correction = (observed * expected - 2 * expected + observed) ** 2
  const variance = (diagonal + (1 - observed) ** 2 * rest - correction) / (count * (1 - expected) ** 4)
  const width = halfWidth(confidence) * Math.sqrt(Math.max(0, variance))
  return { value, interval: { low: Math.max(-1, value - width), high: Math.min(1, value + width) } }
}

/** How many more labels make the interval of a rate this narrow (half of its width). */
export function labelsFor(halfWidthWanted: number, { value, count }: Pick<Rate, 'value' | 'count'>): number {
  // Without labels the worst case.
  const share = count === 0 ? 0.5 : (value ?? 0.5)
  const isNarrow = (n: number): boolean => {
    const { low, high } = wilsonInterval(share * n, n)
    return (high - low) / 2 <= halfWidthWanted
  }
  let high = Math.max(1, count)
  while (!isNarrow(high) && high < 1e9) high *= 2
  let low = 0
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isNarrow(middle)) high = middle
    else low = middle
  }
  return Math.max(0, high - count)
}

export interface CorrectedRate {
  readonly value: number
  readonly interval: Interval
}

/**
 * The share of yes that people would give, from the share that the judge gives (Rogan and Gladen 1978), with the interval of Lang and
 * Reiczigel 2014, which covers the uncertainty of all three numbers. Undefined if the judge is no better than chance.
 */
export function correctedRate(
  judged: Pick<Rate, 'yes' | 'count'>,
  sensitivity: Pick<Rate, 'yes' | 'count'>,
  specificity: Pick<Rate, 'yes' | 'count'>,
  confidence = CONFIDENCE,
): CorrectedRate | undefined {
  const se = sensitivity.yes / sensitivity.count
  const sp = specificity.yes / specificity.count
  if (judged.count === 0 || !(se + sp - 1 > 0)) return undefined
  const z = halfWidth(confidence)
  const value = (judged.yes / judged.count + sp - 1) / (se + sp - 1)
  const count = judged.count + z ** 2
  const apparent = (judged.yes + z ** 2 / 2) / count
  const [seCount, spCount] = [sensitivity.count + 2, specificity.count + 2]
  const [seShare, spShare] = [(sensitivity.yes + 1) / seCount, (specificity.yes + 1) / spCount]
  const slope = seShare + spShare - 1
  if (slope <= 0) return undefined
  const center = (apparent + spShare - 1) / slope
  const [seVariance, spVariance] = [(seShare * (1 - seShare)) / seCount, (spShare * (1 - spShare)) / spCount]
  const shift = 2 * z ** 2 * (center * seVariance - (1 - center) * spVariance)
  const variance =
    (apparent * (1 - apparent)) / count + center ** 2 * seVariance + (1 - center) ** 2 * spVariance
  const width = (z * Math.sqrt(variance)) / slope
  return {
    value: clamp(value),
    interval: { low: clamp(center + shift - width), high: clamp(center + shift + width) },
  }
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
