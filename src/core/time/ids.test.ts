import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv7Time, uuidv7 } from './ids.ts'
import { systemClock } from './time.ts'

/** 1970 to the end of the 48 bits that hold the milliseconds. */
const time = fc.bigInt({ min: 0n, max: (2n ** 48n - 1n) * 1000n + 999n })

test('an id contains its creation time in milliseconds', () => {
  fc.assert(
    fc.property(time, (micros) => {
      const id = uuidv7(micros)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(uuidv7Time(id)).toBe((micros / 1000n) * 1000n)
    }),
  )
})

test('ids sort by creation time', () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      if (a / 1000n === b / 1000n) return
      expect(uuidv7(a) < uuidv7(b)).toBe(a < b)
    }),
  )
})

test('ids created at the same time differ', () => {
  const now = systemClock()
  const ids = new Set(Array.from({ length: 10_000 }, () => uuidv7(now)))
  expect(ids.size).toBe(10_000)
})

test('other ids have no time', () => {
  for (const id of [
    '',
    'plain',
    '0123456789abcdef',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    'd9428888-122b-4ecb-97d0-a1ae2a3b1d3e',
    '0190C5B0-3F4E-7D3A-9B1C-000000000001',
    '0190c5b0-3f4e-7d3a-cb1c-000000000001',
    ' 0190c5b0-3f4e-7d3a-9b1c-000000000001',
    '0190c5b0-3f4e-7d3a-9b1c-000000000001\n',
    '0190c5b0-3f4e-7d3a-9b1c-0000000000011',
  ]) {
    expect([id, uuidv7Time(id)]).toEqual([id, undefined])
  }
})
