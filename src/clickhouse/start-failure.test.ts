import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { explainStart, LOCK_HELD } from './start-failure.ts'

const directory = mkdtempSync(join(tmpdir(), 'heddle-start-failure-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const cold = { url: 'http://s3.example/calls/', region: '', accessKeyId: '', secretAccessKey: '' }
const STACK = '0. ? @ 0x000000001c8fa4b3\n1. ? @ 0x000000000ef1e3de\n (version 26.7.2.1)\n'

async function explain(output: string, exit: string | undefined): Promise<string> {
  const failed = { directory, s3Disks: { cold }, exit, waitedMs: 30_000, output }
  return (await explainStart(failed)).message
}

test('unreachable cold storage is named, whatever schema and stack follow', async () => {
  const output = `2026.11.18 21:19:34.892887 [ 4254 ] {} <Warning> BackgroundSchedulePool/BgSchPool: Temporarily pause scheduling of tasks
Code: 722. DB::Exception: Waited job failed: Code: 695. DB::Exception: Load job 'load table heddle.calls' failed: Code: 499. DB::Exception: Poco::Exception. Code: 1000, e.code() = 111, Connection refused (version 26.7.2.1) This error happened for S3 disk: Cannot attach table \`heddle\`.\`calls\` from query ATTACH TABLE heddle.calls (\`project_id\` String). (S3_ERROR). (ASYNC_LOAD_FAILED), Stack trace (when copying this message, always include the lines below):

${STACK}`
  expect(await explain(output, 'code 0')).toBe(
    'calls are in cold storage, and S3 at http://s3.example/calls/ cannot be used: Connection refused; check HEDDLE_COLD_STORAGE_S3_ENDPOINT, its access key and the network, then start again',
  )
})

test('other failures are one sentence with the message of ClickHouse', async () => {
  expect(await explain('', LOCK_HELD)).toBe(LOCK_HELD)
  expect(
    await explain('Code: 243. DB::Exception: Cannot reserve 1 MiB. (NOT_ENOUGH_SPACE)\n', 'code 0'),
  ).toMatch(/^the disk .* is full/)
  expect(await explain('', 'SIGKILL')).toMatch(/memory was exhausted/)
  expect(
    await explain(
      `Code: 1. DB::Exception: Something new. (UNSUPPORTED_METHOD), Stack trace (when copying\n\n${STACK}`,
      'code 0',
    ),
  ).toBe('embedded ClickHouse exited (code 0): Something new')
  expect(await explain('', 'code 1')).toBe('embedded ClickHouse exited (code 1)')
  expect(await explain('', undefined)).toBe(
    'embedded ClickHouse did not respond within 30 s; check that the cold storage at http://s3.example/calls/ responds',
  )
})
