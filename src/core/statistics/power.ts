import { normalCdf, normalQuantile } from './special-functions.ts'

/** What a number of examples can show. */

/** The share of repetitions in which a difference of the returned size would be found. */
const POWER = 0.8
const SIGNIFICANCE = 0.05

/** In standard errors. */
const DETECTABLE = detectable()

function detectable(): number {
  const critical = normalQuantile(1 - SIGNIFICANCE / 2)
  let [low, high] = [0, 10]
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (normalCdf(middle - critical) + normalCdf(-middle - critical) < POWER) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The smallest true difference that is found in 80 % of the cases, from the standard deviation of the paired differences. */
export function minimalDetectableDifference(standardDeviation: number, count: number): number {
  return (DETECTABLE * standardDeviation) / Math.sqrt(count)
}

/** How many examples find a difference of this size in 80 % of the cases. */
export function examplesFor(difference: number, standardDeviation: number): number {
  return Math.ceil(((DETECTABLE * standardDeviation) / Math.abs(difference)) ** 2)
}
