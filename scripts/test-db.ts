import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../src/clickhouse/embedded-clickhouse.ts'
import { startPlainEngine } from './external-clickhouse.ts'

/**
 * `npm run test:db [-- vitest arguments]`: the suite of test/db on a real ClickHouse. With
 * HEDDLE_TEST_CLICKHOUSE_URL set it uses that one; otherwise it starts the built-in engine for the run, or with
 * `--url-engine` one without any settings of ours, as a user may bring.
 */
interface TestEngine {
  readonly url: string
  readonly username?: string
  readonly password?: string
  stop(): Promise<void>
}

const plain = process.argv.includes('--url-engine')
const directory = mkdtempSync(join(tmpdir(), 'heddle-test-'))

async function start(): Promise<TestEngine | undefined> {
  if (process.env['HEDDLE_TEST_CLICKHOUSE_URL'] !== undefined) return undefined
  return plain ? startPlainEngine(directory) : startEmbeddedClickHouse({ directory })
}

const engine = await start()
const env =
  engine === undefined
    ? process.env
    : {
        ...process.env,
        HEDDLE_TEST_CLICKHOUSE_URL: engine.url,
        HEDDLE_TEST_CLICKHOUSE_USER: engine.username ?? 'default',
        HEDDLE_TEST_CLICKHOUSE_PASSWORD: engine.password ?? '',
      }
const args = process.argv.slice(2).filter((arg) => arg !== '--url-engine')
const run = spawnSync('npx', ['vitest', 'run', '--project', 'db', ...args], { stdio: 'inherit', env })
await engine?.stop()
rmSync(directory, { recursive: true, force: true })
process.exitCode = run.status ?? 1
