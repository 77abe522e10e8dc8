import { describe, expect, test } from 'vitest'
import { TimeSlice } from '../concurrency/time-slice.ts'
import { holm } from './holm.ts'
import { comparePaired } from './paired-comparison.ts'
import { normalQuantile } from './special-functions.ts'

/** That the values are right is tested against SciPy: `npm run test:statistics`. */

const options = { seed: 'test', slice: new TimeSlice() }
const numbers = (count: number, of: (i: number) => number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => of(i))

describe('paired comparison', () => {
  test('of the same scores with the same seed is the same', async () => {
    const baseline = numbers(50, (i) => Math.sin(i))
    const candidate = numbers(50, (i) => Math.sin(i) + Math.cos(i * 7) / 2)
    const first = await comparePaired(baseline, candidate, options)
    expect(await comparePaired(baseline, candidate, options)).toEqual(first)
    expect(await comparePaired(baseline, candidate, { ...options, seed: 'other' })).not.toEqual(first)
  })

  test('without examples is undefined', async () => {
    expect(await comparePaired(new Float64Array(0), new Float64Array(0), options)).toBeUndefined()
  })

  test('of equal yes/no scores leaves room for a difference that few examples do not show', async () => {
    const result = await comparePaired(
      numbers(20, () => 1),
      numbers(20, () => 1),
      options,
    )
    expect(result?.difference).toBe(0)
    expect(result?.p).toBe(1)
    expect(result?.interval.low).toBeLessThan(-0.1)
    expect(result?.interval.high).toBeGreaterThan(0.1)
  })

  test('counts examples that became better, worse and stayed equal', async () => {
    const result = await comparePaired(Float64Array.of(1, 2, 3, 4), Float64Array.of(2, 2, 2, 7), options)
    expect(result).toMatchObject({ count: 4, higher: 2, lower: 1, equal: 1, method: 'permutation' })
  })

  test('a joint interval contains the single one', async () => {
    const baseline = numbers(60, (i) => Math.sin(i * 3))
    const candidate = numbers(60, (i) => Math.sin(i * 3) + Math.cos(i * 5))
    const joint = { ...options, jointConfidence: 0.99 }
    const result = await comparePaired(baseline, candidate, joint)
    expect(result?.jointInterval.low).toBeLessThan(result?.interval.low ?? -Infinity)
    expect(result?.jointInterval.high).toBeGreaterThan(result?.interval.high ?? Infinity)
  })

  test('of 100,000 examples averages groups, and finds the same difference', async () => {
    const baseline = numbers(100_000, (i) => Math.sin(i * 12.9898) * 3)
    const candidate = numbers(100_000, (i) => Math.sin(i * 12.9898) * 3 + 0.01 + Math.sin(i * 78.233))
    const result = await comparePaired(baseline, candidate, options)
    expect(result?.interval.low).toBeLessThan(0.01)
    expect(result?.interval.high).toBeGreaterThan(0.01)
    // 1.96 standard errors to each side, within the noise of 4,000 resamples of 1,000 groups.
    const width = (2 * 1.96 * Math.SQRT1_2) / Math.sqrt(100_000)
    const found = (result?.interval.high ?? 0) - (result?.interval.low ?? 0)
    expect(Math.abs(found / width - 1)).toBeLessThan(0.12)
  })
})

test('Holm raises each p-value by the number of those that are not smaller, and keeps their order', () => {
  expect(holm([0.03, 0.01, 0.5])).toEqual([0.06, 0.03, 0.5])
  expect(holm([])).toEqual([])
})

test('the median of a normal distribution is 0, its ends infinite', () => {
  expect(normalQuantile(0.5)).toBeCloseTo(0, 12)
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity])
})
