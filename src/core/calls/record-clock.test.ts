import { expect, test } from 'vitest'
import { STAMP_EPOCH, stampTime } from './fact-versions.ts'
import { RecordClock } from './record-clock.ts'

const NOW = STAMP_EPOCH + 5e15

test('every stamp is above the one before, even if the clock goes back', () => {
  let now = NOW
  const clock = new RecordClock(() => now)
  const first = clock.next()
  expect(stampTime(first)).toBe(5e15)
  expect(clock.next() > first).toBe(true)
  now -= 3e6
  expect(stampTime(clock.next())).toBe(5e15 + 2)
  now += 9e6
  expect(stampTime(clock.next())).toBe(5e15 + 6e6)
})

test('a stamp after another is above it, and so are all later ones', () => {
  const clock = new RecordClock(() => NOW)
  const ahead = new RecordClock(() => NOW + 1e6).next()
  expect(clock.after(ahead) > ahead).toBe(true)
  expect(stampTime(clock.next())).toBe(5e15 + 1e6 + 2)
  const slower = new RecordClock(() => NOW - 1e6).next()
  expect(stampTime(clock.after(slower))).toBe(5e15 + 1e6 + 3)
})

test('a synchronized clock has the time of ClickHouse, to within the duration of the reading', () => {
  const clock = new RecordClock(() => NOW)
  const near = new RecordClock(() => NOW + 3600e6).next()
  expect(clock.mayBeBefore(near, clock.next())).toBe(true)
  clock.synchronize(BigInt(NOW + 2e6), NOW - 1000, NOW + 1000)
  const stamp = clock.next()
  expect(stampTime(stamp)).toBe(5e15 + 2e6)
  const other = (micros: number) => new RecordClock(() => NOW + 2e6 + micros).next()
  expect(clock.mayBeBefore(other(13_000), stamp)).toBe(true)
  expect(clock.mayBeBefore(other(15_000), stamp)).toBe(false)
})
