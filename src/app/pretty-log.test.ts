import { pino } from 'pino'
import { expect, test } from 'vitest'
import { formatLogLine, PrettyLogStream } from './pretty-log.ts'

function output() {
  const lines: string[] = []
  return { lines, write: (text: string) => lines.push(text) }
}

test('a line has time, level, message and fields, without pid and hostname', () => {
  const time = new Date(2026, 0, 1, 12, 30, 5).getTime()
  const line = { level: 30, time, pid: 1, hostname: 'h', msg: 'request failed', status: 404, user: 'an n' }
  expect(formatLogLine(line, false)).toBe('12:30:05 INFO  request failed status=404 user="an n"\n')
  expect(formatLogLine({ level: 50, time, msg: 'broken' }, true)).toContain('\u001B[31mERROR')
})

test('the stack of an error is indented below', () => {
  const { lines, write } = output()
  pino({}, new PrettyLogStream({ write })).error({ err: new Error('no disk') }, 'write failed')
  expect(lines.join('')).toMatch(/ERROR write failed\n {4}Error: no disk\n {8}at /)
})

test('lines wait for the banner', async () => {
  const { lines, write } = output()
  let showBanner = (): void => {}
  const bannerShown = new Promise<void>((resolve) => (showBanner = resolve))
  const log = pino({}, new PrettyLogStream({ write }, bannerShown))
  log.info('before')
  expect(lines).toEqual([])
  showBanner()
  await bannerShown
  log.info('after')
  expect(lines.map((line) => line.slice(9))).toEqual(['INFO  before\n', 'INFO  after\n'])
})
