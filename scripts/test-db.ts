import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../src/clickhouse/embedded-clickhouse.ts'
import { startExternalClickHouse } from './external-clickhouse.ts'

/**
 * `npm run test:db [-- vitest arguments]`: runs the tests in test/db on a real ClickHouse: the one named by
 * HEDDLE_TEST_CLICKHOUSE_URL; otherwise the embedded one, or with `--external` one without any of our settings, as a
 * user would bring it.
 */
interface TestClickHouse {
  readonly url: string
  readonly username?: string
  readonly password?: string
  stop(): Promise<void>
}

const isExternal = process.argv.includes('--external')
const directory = mkdtempSync(join(tmpdir(), 'heddle-test-'))

async function start(): Promise<TestClickHouse | undefined> {
  if (process.env['HEDDLE_TEST_CLICKHOUSE_URL'] !== undefined) return undefined
  return isExternal ? startExternalClickHouse(directory) : startEmbeddedClickHouse({ directory })
}

const clickhouse = await start()
const env =
  clickhouse === undefined
    ? process.env
    : {
        ...process.env,
        HEDDLE_TEST_CLICKHOUSE_URL: clickhouse.url,
        HEDDLE_TEST_CLICKHOUSE_USER: clickhouse.username ?? 'default',
        HEDDLE_TEST_CLICKHOUSE_PASSWORD: clickhouse.password ?? '',
      }
const args = process.argv.slice(2).filter((arg) => arg !== '--external')
const run = spawnSync('npx', ['vitest', 'run', '--project', 'db', ...args], { stdio: 'inherit', env })
await clickhouse?.stop()
rmSync(directory, { recursive: true, force: true })
process.exitCode = run.status ?? 1
