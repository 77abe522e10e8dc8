import type { TimeSlice } from '../concurrency/time-slice.ts'
import type { Random } from './random.ts'

/** Whether paired differences may be chance: their signs are swapped at random, as if both systems were equal. */

const PERMUTATIONS = 5000
/** All 2^n combinations of signs are tried up to this n. */
const MAX_EXACT = 12
/** Sums that are equal but for rounding count as equal. */
const TOLERANCE = 1e-12

/** The probability of a mean at least as far from 0 if the two systems are equal. */
export async function signFlipTest(
  differences: Float64Array,
  random: Random,
  slice: TimeSlice,
  permutations = PERMUTATIONS,
): Promise<number> {
  const values = differences.filter((value) => value !== 0)
  if (values.length === 0) return 1
  const scale = values.reduce((sum, value) => sum + Math.abs(value), 0)
  const bound = Math.abs(values.reduce((sum, value) => sum + value, 0)) - scale * TOLERANCE
  const isExact = values.length <= MAX_EXACT
  const tries = isExact ? 2 ** values.length : permutations
  let extreme = 0
  for (let i = 0; i < tries; i++) {
    if (Math.abs(flippedSum(values, isExact ? () => i : random)) >= bound) extreme++
    if (slice.isOver) await slice.next()
  }
  return isExact ? extreme / tries : (extreme + 1) / (tries + 1)
}

/** Each bit is the sign of a value. */
function flippedSum(values: Float64Array, bits: () => number): number {
  let sum = 0
  let signs = 0
  for (let n = 0; n < values.length; n++) {
    if (n % 32 === 0) signs = bits()
    const value = values[n] ?? 0
    sum += (signs & 1) === 1 ? value : -value
    signs >>>= 1
  }
  return sum
}
