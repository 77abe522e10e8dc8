import { CONFIDENCE, halfWidth, type Interval } from './interval.ts'
import { coinCdf, coinProbability } from './special-functions.ts'

/** Yes/no values: shares, and the comparison of two systems on the same examples. */

/** The interval of a share of `count`, after Wilson 1927. */
export function wilsonInterval(yes: number, count: number, confidence = CONFIDENCE): Interval {
  if (count === 0) return { low: 0, high: 1 }
  const z = halfWidth(confidence)
  const share = yes / count
  const center = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count)
  const width =
    (z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))) / (1 + z ** 2 / count)
  return { low: yes === 0 ? 0 : center - width, high: yes === count ? 1 : center + width }
}

/** Examples on which two systems differ: those where only one of them was right. */
export interface DiscordantPairs {
  readonly count: number
  readonly onlyFirst: number
  readonly onlySecond: number
}

export interface McNemar {
  /** Counts half of the observed case, which makes up for the exact test being too cautious (Fagerland 2013). */
  readonly midP: number
  readonly exact: number
}

/** The probability of a split as uneven as this one if both systems are equally good. */
export function mcNemar({ onlyFirst, onlySecond }: Omit<DiscordantPairs, 'count'>): McNemar {
  const total = onlyFirst + onlySecond
  const fewer = Math.min(onlyFirst, onlySecond)
  if (total === 0) return { midP: 1, exact: 1 }
  const exact = Math.min(1, 2 * coinCdf(fewer, total))
  // Of an even split both tails contain the observed case.
  const midP =
    onlyFirst === onlySecond ? 1 - coinProbability(fewer, total) / 2 : exact - coinProbability(fewer, total)
  return { midP, exact }
}

/** The interval of the share of the second system minus that of the first one, by the score of Tango 1998. */
export function shareDifference(
  { count, onlyFirst, onlySecond }: DiscordantPairs,
  confidence = CONFIDENCE,
): Interval {
  const z = halfWidth(confidence)
  const score = (difference: number): number => {
    const linear = (2 * count - onlySecond + onlyFirst) * difference - onlySecond - onlyFirst
    const constant = -onlyFirst * difference * (1 - difference)
    const onlyFirstShare = (Math.sqrt(linear ** 2 - 8 * count * constant) - linear) / (4 * count)
    const variance = count * (2 * onlyFirstShare + difference * (1 - difference))
    const distance = onlySecond - onlyFirst - count * difference
    return variance <= 0 ? Math.sign(distance) * Infinity : distance / Math.sqrt(variance)
  }
  const estimate = (onlySecond - onlyFirst) / count
  return {
    low: boundary(-1, estimate, (at) => score(at) > z),
    high: boundary(1, estimate, (at) => score(at) < -z),
  }
}

/** Where a condition, true at `outside` and false at `inside`, changes. */
function boundary(outside: number, inside: number, isOutside: (at: number) => boolean): number {
  for (let i = 0; i < 60; i++) {
    const middle = (outside + inside) / 2
    if (isOutside(middle)) outside = middle
    else inside = middle
  }
  return (outside + inside) / 2
}
