import { expect, test } from 'vitest'
import { ageCutoff, formatAge, parseAge, parseBytes } from './retention-policy.ts'

const DAY = 86_400_000_000n
const NOW = 20_000n * DAY + 12_345_678n

test('the cutoff is never newer than the age, and older by a step at most', () => {
  for (const [age, step] of [
    [60, 60],
    [300, 60],
    [86_400, 4_320],
    [30 * 86_400, 86_400],
    [3_650 * 86_400, 86_400],
  ] as const) {
    const cutoff = ageCutoff(NOW, age)
    const overdue = NOW - BigInt(age) * 1_000_000n - cutoff
    expect(overdue >= 0n && overdue < BigInt(step) * 1_000_000n).toBe(true)
    expect(cutoff % (BigInt(step) * 1_000_000n)).toBe(0n)
  }
})

test('ages and sizes are read as people write them', () => {
  expect(['30d', '12h', '5m'].map(parseAge)).toEqual([2_592_000, 43_200, 300])
  expect(['', '0d', '30', '5y', '-1d'].map(parseAge)).toEqual(Array.from({ length: 5 }))
  expect([2_592_000, 43_200, 300, 61].map(formatAge)).toEqual(['30d', '12h', '5m', '61s'])
  expect(['500GB', '1.5 tb', '1000'].map(parseBytes)).toEqual([5e11, 1.5e12, 1000])
  expect(['', '0', 'GB', '1XB'].map(parseBytes)).toEqual(Array.from({ length: 4 }))
})
