import { expect, test } from 'vitest'
import { SlowQueryLog } from '../../src/store/database/query-log.ts'

test('the values of a slow statement are logged if the settings say so, but never with a password among them', () => {
  const lines: object[] = []
  const log = new SlowQueryLog({ thresholdMs: 0.000_001, withValues: true, log: (line) => lines.push(line) })
  const statement = { text: 'SELECT {p0:String}', params: { p0: 'secret' } }
  log.watch(statement, { name: 'plain', kind: 'scan' })(undefined)
  log.watch(statement, { name: 'with a password', kind: 'scan', hasSecrets: true })(undefined)
  expect(lines).toMatchObject([{ name: 'plain', values: { p0: 'secret' } }, { name: 'with a password' }])
  expect(JSON.stringify(lines[1])).not.toContain('secret')
})
