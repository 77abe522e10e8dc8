import { expect, test } from 'vitest'
import { parseIds } from './compared-ids.ts'
import { formatDifference } from './difference.ts'

test.each([
  [1000, 1340, 'duration', '+340 ms (+34 %)', 'worse'],
  [2000, 1500, 'duration', '−500 ms (−25 %)', 'better'],
  [1000, 1004, 'count', '+4 (+0.4 %)', 'same'],
  [10, 500, 'count', '+490 (+49×)', 'worse'],
  [0, 3, 'count', '+3', 'worse'],
  [0.004, 0.002, 'cost', '−$0.0020 (−50 %)', 'better'],
  [7, 7, 'count', '±0', 'same'],
] as const)('%d to %d (%s) is %s', (base, value, unit, text, tone) => {
  expect(formatDifference(base, value, unit)).toEqual({ text, tone })
})

test('unknown values have no difference', () => {
  expect(formatDifference(undefined, 1, 'cost')).toBeUndefined()
  expect(formatDifference(1, undefined, 'cost')).toBeUndefined()
})

test('ids are unique and limited to the maximum per page', () => {
  expect(parseIds('a, b,,a')).toEqual(['a', 'b'])
  expect(parseIds('a,b,c,d,e,f,g')).toHaveLength(6)
  expect(parseIds(undefined)).toEqual([])
})
