import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SampledLog } from './sampled-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function sampledLog(): { log: SampledLog; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const write = (text: string): void => void lines.push(JSON.parse(text) as Record<string, unknown>)
  return { log: new SampledLog(pino({ base: null }, { write })), lines }
}

test('of a thousand lines that are alike, twenty are written, and the number of the others', () => {
  const { log, lines } = sampledLog()
  for (let n = 0; n < 1_000; n++) log.write('info', ['a', 401], () => ({ n, status: 401 }), 'request failed')
  log.write('info', ['b', 404], () => ({ status: 404 }), 'request failed')
  expect(lines.length).toBe(21)
  vi.advanceTimersByTime(10_000)
  expect(lines.length).toBe(22)
  expect(lines[21]).toMatchObject({ msg: 'request failed; 980 more like this', more: 980, status: 401 })
})

test('the next period begins anew', () => {
  const { log, lines } = sampledLog()
  for (let period = 0; period < 3; period++) {
    for (let n = 0; n < 20; n++) log.write('error', ['a'], () => ({}), 'failed')
    vi.advanceTimersByTime(10_000)
  }
  expect(lines.length).toBe(60)
})

test('an unlimited number of kinds takes limited memory', () => {
  const { log, lines } = sampledLog()
  for (let n = 0; n < 5_000; n++) log.write('info', [n], () => ({ n }), 'request failed')
  expect(lines.length).toBe(5_000)
  vi.advanceTimersByTime(10_000)
  expect(lines.length).toBe(5_000)
})
