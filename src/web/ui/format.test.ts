import { expect, test } from 'vitest'
import {
  exactCost,
  formatBytes,
  formatCost,
  formatDuration,
  formatNumber,
  formatKnownCost,
  formatPercent,
  formatPrice,
  formatPricePerMillion,
} from './format.ts'

test.each([
  [0, '$0'],
  [0.000000012, '<$0.0001'],
  [0.0016, '$0.0016'],
  [0.00079, '$0.0008'],
  [0.079, '$0.079'],
  [0.5, '$0.50'],
  [12.4, '$12.40'],
  [1234.5, '$1,234.50'],
  [-0.25, '−$0.25'],
])('the cost %d is %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text)
})

test('a partial cost is a lower bound, and tooltips have the exact cost', () => {
  expect(formatKnownCost(0.0016, true)).toBe('≥ $0.0016')
  expect(formatKnownCost(6e-8, true)).toBe('≥ $0')
  expect(formatKnownCost(6e-8, false)).toBe('<$0.0001')
  expect(formatKnownCost(undefined, true)).toBe('no price')
  expect(formatKnownCost(undefined, false)).toBe(undefined)
  expect(exactCost(0.00079172)).toBe('$0.00079172')
  expect(exactCost(6e-8)).toBe('$0.00000006')
})

test.each([
  [2522.1, '2,522.1'],
  [1234567, '1,234,567'],
  [0.6625000000000001, '0.663'],
  [0.8, '0.8'],
  [0.00123, '0.0012'],
  [-3.5, '-3.5'],
])('the number %d is %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test('prices are per million tokens', () => {
  expect(formatPrice('0.00000015')).toBe('$0.15 / 1M tokens')
  expect(['2.5e-6', '0.000003', '0.000000075', '0.0012'].map(formatPricePerMillion)).toEqual([
    '$2.50',
    '$3.00',
    '$0.075',
    '$1,200.00',
  ])
})

test('shares, sizes and durations', () => {
  expect([0.8, 2 / 3, 0].map(formatPercent)).toEqual(['80 %', '66.7 %', '0 %'])
  expect([999, 1500, 2_500_000, 3_000_000_000].map(formatBytes)).toEqual([
    '999 B',
    '1.5 kB',
    '2.5 MB',
    '3.0 GB',
  ])
  expect([0, 0.25, 7.25, 350, 2410, 192_000, 7_260_000].map(formatDuration)).toEqual([
    '0 ms',
    '0.25 ms',
    '7.3 ms',
    '350 ms',
    '2.41 s',
    '3 m 12 s',
    '2 h 1 m',
  ])
})
