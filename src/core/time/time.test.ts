import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clampTime,
  formatTime,
  laterTime,
  type Micros,
  parseStorableTime,
  parseTime,
  systemClock,
  unixToStorableTime,
} from './time.ts'

const EARLIEST = parseTime('1900-01-01T00:00:00Z')!
const LATEST = parseTime('2299-12-31T23:59:59.999999Z')!

const time: fc.Arbitrary<Micros> = fc.bigInt({ min: EARLIEST, max: LATEST })

test('formatting and parsing a time preserves microseconds', () => {
  fc.assert(
    fc.property(time, (micros) => {
      const text = formatTime(micros)
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      expect(parseTime(text)).toBe(micros)
    }),
    { numRuns: 1000 },
  )
})

test('formatted times sort chronologically', () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      expect(formatTime(a) < formatTime(b)).toBe(a < b)
    }),
  )
})

test('all forms of offsets are applied', () => {
  const utc = parseTime('2026-07-29T12:00:00.123456Z')
  for (const text of [
    '2026-07-29T12:00:00.123456',
    '2026-07-29 12:00:00.123456Z',
    '2026-07-29t12:00:00.123456z',
    '2026-07-29T12:00:00,123456Z',
    ' 2026-07-29T12:00:00.123456Z\n',
    '2026-07-29T14:00:00.123456+02:00',
    '2026-07-29T14:00:00.123456+0200',
    '2026-07-29T14:00:00.123456+02',
    '2026-07-29T06:30:00.123456-05:30',
    '2026-07-30T01:45:00.123456+13:45',
    '2026-07-29T12:00:00.123456-00:00',
    '2026-07-29T12:00:00.123456789Z',
  ]) {
    expect([text, parseTime(text)]).toEqual([text, utc])
  }
})

test('omitted parts are zero', () => {
  const midnight = 1_785_283_200_000_000n
  for (const text of ['2026-07-29', '2026-07-29T00:00', '2026-07-29T00:00:00', '2026-07-29T00:00:00.0Z']) {
    expect([text, parseTime(text)]).toEqual([text, midnight])
  }
  expect(parseTime('2026-07-29T00:00:00.5Z')).toBe(midnight + 500_000n)
  expect(parseTime('2026-07-29T00:00:00.000001Z')).toBe(midnight + 1n)
  expect(parseTime('2026-07-28T24:00:00Z')).toBe(midnight)
})

test('a leap second is the start of the next minute', () => {
  expect(parseTime('2016-12-31T23:59:60Z')).toBe(parseTime('2017-01-01T00:00:00Z'))
  expect(parseTime('2016-12-31T23:59:60.5Z')).toBe(parseTime('2017-01-01T00:00:00.5Z'))
})

test('times outside the range of ClickHouse are parsed, but not storable', () => {
  for (const [text, bound] of [
    ['0001-01-01T00:00:00Z', EARLIEST],
    // Years below 100 are not mapped to the 20th century.
    ['0099-06-01T00:00:00Z', EARLIEST],
    ['1899-12-31T23:59:59.999999Z', EARLIEST],
    ['1900-01-01T00:00:00+02:00', EARLIEST],
    ['2300-01-01T00:00:00Z', LATEST],
    ['2299-12-31T23:59:59-00:01', LATEST],
    ['9999-12-31T23:59:59Z', LATEST],
  ] as const) {
    expect([text, parseStorableTime(text), clampTime(parseTime(text)!)]).toEqual([text, undefined, bound])
  }
  expect(parseStorableTime('1900-01-01')).toBe(EARLIEST)
  expect(parseStorableTime('2299-12-31T23:59:59.999999Z')).toBe(LATEST)
  expect(clampTime(-(10n ** 30n))).toBe(EARLIEST)
  expect(clampTime(10n ** 30n)).toBe(LATEST)
  expect(formatTime(EARLIEST)).toBe('1900-01-01T00:00:00.000000Z')
  expect(formatTime(LATEST)).toBe('2299-12-31T23:59:59.999999Z')
})

test('a number is in seconds, or in milliseconds if it is too large for seconds', () => {
  const moment = parseTime('2024-02-03T04:05:06.5Z')
  expect(unixToStorableTime(1_706_933_106.5)).toBe(moment)
  expect(unixToStorableTime(1_706_933_106_500)).toBe(moment)
  expect(unixToStorableTime(-2_208_988_800)).toBe(EARLIEST)
  expect(unixToStorableTime(-2_208_988_800_000)).toBe(EARLIEST)
  for (const value of [-2_208_988_801, 10_413_792_000, 2e10, 1e14, -1e14, 1e300, NaN, Infinity])
    expect([value, unixToStorableTime(value)]).toEqual([value, undefined])
})

test('a time before 1970 keeps its microseconds', () => {
  expect(formatTime(-1n)).toBe('1969-12-31T23:59:59.999999Z')
  expect(formatTime(-1_000_001n)).toBe('1969-12-31T23:59:58.999999Z')
})

test('text that is not a time is rejected', () => {
  for (const text of [
    '',
    'now',
    'yesterday',
    '1785283200',
    '2026',
    '2026-07',
    '2026-7-29',
    '26-07-29',
    '2026-00-10',
    '2026-13-10',
    '2026-07-00',
    '2026-07-32',
    '2026-02-29',
    '2100-02-29',
    '2026-07-29T25:00:00Z',
    '2026-07-29T24:00:01Z',
    '2026-07-29T24:30:00Z',
    '2026-07-29T12:60:00Z',
    '2026-07-29T12:00:61Z',
    '2026-04-31T23:59:60Z',
    '2026-07-29T12:00:00.Z',
    '2026-07-29T12:00:00+2',
    '2026-07-29T12:00:00 UTC',
    '2026-07-29T12:00:00ZZ',
    '2026-07-29T',
    '20260729T120000Z',
    '29/07/2026',
    "2026-07-29'; DROP TABLE calls",
    '２０２６-07-29T12:00:00Z',
  ]) {
    expect([text, parseTime(text)]).toEqual([text, undefined])
  }
})

test('any text is parsed without throwing, to a time within the range or undefined', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ '.split('')) })),
      (text) => {
        const micros = parseTime(text)
        if (micros === undefined) return
        expect(micros >= EARLIEST && micros <= LATEST).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})

test('the system clock counts microseconds since 1970', () => {
  const before = BigInt(Date.now()) * 1000n
  const now = systemClock()
  expect(now > before - 2_000_000n && now < before + 2_000_000n).toBe(true)
})

test('a change is later than the row it changes, even with clock skew', () => {
  const now = parseTime('2026-07-29T12:00:00Z')!
  expect(laterTime(now, '2026-07-29T11:00:00Z')).toBe('2026-07-29T12:00:00.000000Z')
  expect(laterTime(now, '2026-07-29T12:00:00Z')).toBe('2026-07-29T12:00:00.000001Z')
  expect(laterTime(now, '2026-07-29T13:00:00.000009Z')).toBe('2026-07-29T13:00:00.000010Z')
  expect(laterTime(now, '')).toBe('2026-07-29T12:00:00.000000Z')
})
