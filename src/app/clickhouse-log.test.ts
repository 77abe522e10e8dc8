import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logServerErrors } from './clickhouse-log.ts'

test('errors of ClickHouse are logged at a limited rate, with the number of those omitted', () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  let nowMs = 0
  const emit = logServerErrors(log, () => nowMs)
  const error = { level: 'error', source: 'heddle.calls', message: 'a part is broken' } as const
  for (let n = 0; n < 1_000; n++) emit(error)
  expect(lines).toHaveLength(30)
  expect(lines[0]).toMatchObject({
    level: 50,
    clickhouse_level: 'error',
    clickhouse_source: 'heddle.calls',
    msg: 'ClickHouse: a part is broken',
  })
  nowMs = 10_000
  emit(error)
  emit(error)
  expect(lines).toHaveLength(31)
  expect(lines[30]).toMatchObject({ omitted_errors: 970 })
})
