import { rate, type Rate } from './judge.ts'

/** Whether numeric scores from 0 to 1 mean what they say: of the answers with 0.8, people accept 80 %. */

export interface Labeled {
  readonly score: number
  readonly isYes: boolean
}

interface CalibrationBin {
  readonly from: number
  readonly to: number
  readonly meanScore: number
  /** The share that people accept. */
  readonly accepted: Rate
}

export interface Calibration {
  /** Bins with at least one example. */
  readonly bins: readonly CalibrationBin[]
  /** Mean squared distance of score and label: 0 is best, 0.25 is a judge that always says 0.5. */
  readonly brier: number
  /** Mean distance of score and accepted share over the bins. */
  readonly expectedError: number
  /** The probability that an accepted answer has a higher score than a rejected one; undefined if all are of one kind. */
  readonly ranking: number | undefined
}

const BINS = 10

/** Undefined without examples, or if scores are not from 0 to 1. */
export function calibration(labeled: readonly Labeled[]): Calibration | undefined {
  if (labeled.length === 0 || labeled.some(({ score }) => score < 0 || score > 1)) return undefined
  const bins = Array.from({ length: BINS }, (_, i): CalibrationBin[] => {
    const [from, to] = [i / BINS, (i + 1) / BINS]
    const own = labeled.filter(({ score }) => (i === 0 || score > from) && score <= to)
    if (own.length === 0) return []
    const meanScore = own.reduce((sum, { score }) => sum + score, 0) / own.length
    return [{ from, to, meanScore, accepted: rate(own.filter(({ isYes }) => isYes).length, own.length) }]
  }).flat()
  return {
    bins,
    brier: labeled.reduce((sum, { score, isYes }) => sum + (score - Number(isYes)) ** 2, 0) / labeled.length,
    expectedError: bins.reduce(
      (sum, { meanScore, accepted }) =>
        sum + (Math.abs(meanScore - (accepted.value ?? 0)) * accepted.count) / labeled.length,
      0,
    ),
    ranking: ranking(labeled),
  }
}

/** The area under the ROC curve, from ranks; equal scores count half. */
function ranking(labeled: readonly Labeled[]): number | undefined {
  const sorted = labeled.toSorted((a, b) => a.score - b.score)
  const yes = sorted.filter(({ isYes }) => isYes).length
  const no = sorted.length - yes
  if (yes === 0 || no === 0) return undefined
  let [noBefore, wins] = [0, 0]
  for (let at = 0; at < sorted.length;) {
    let end = at
    const counts = { yes: 0, no: 0 }
    for (; end < sorted.length && sorted[end]?.score === sorted[at]?.score; end++)
      counts[sorted[end]?.isYes === true ? 'yes' : 'no']++
    wins += counts.yes * (noBefore + counts.no / 2)
    noBefore += counts.no
    at = end
  }
  return wins / (yes * no)
}
