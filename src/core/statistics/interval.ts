import { normalQuantile } from './special-functions.ts'

/** An estimate between two bounds. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Of all intervals that are shown: the share of them that contains the true value. */
export const CONFIDENCE = 0.95

/** How many standard errors a normal interval extends to each side. */
export function halfWidth(confidence: number): number {
  return normalQuantile((1 + confidence) / 2)
}

/** The interval in which what it measures is multiplied by -1. */
export function negated({ low, high }: Interval): Interval {
  return { low: -high, high: -low }
}
