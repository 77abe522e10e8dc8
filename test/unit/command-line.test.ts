import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/import/progress.ts'
import { runCli } from '../run-cli.ts'

test('help of a command that does not exist is an error, like the command', async () => {
  for (const words of [
    ['nosuch', '--help'],
    ['help', 'nosuch'],
  ]) {
    const { code, stdout, stderr } = await runCli(words, { env: {} })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('unknown command "nosuch"')
  }
})

test.each([
  [['--help'], 'keys revoke <key_id>'],
  [['help', 'backups'], 'backups prune'],
  [['serve', '--port', '1', '--help'], 'serve'],
  [['restore', 'ID', '-h'], 'restore [ID]'],
])('help of %j', async (words, expected) => {
  const { code, stdout } = await runCli(words, { env: {} })
  expect(code).toBe(0)
  expect(stdout).toContain(expected)
})

test('with --json, progress is on standard error, and standard output is for the result alone', () => {
  const output = { stdout: '', stderr: '' }
  const progress = createProgress(
    {
      env: {},
      stdin: process.stdin,
      stdout: { write: (text) => (output.stdout += text) },
      stderr: { write: (text) => (output.stderr += text) },
      once: () => undefined,
    },
    true,
    () => 0,
  )
  progress.setTotal('checksums', 2)
  progress.update('checksums', 1)
  expect(output).toEqual({ stdout: '', stderr: '{"phase":"checksums","done":1,"total":2}\n' })
})
