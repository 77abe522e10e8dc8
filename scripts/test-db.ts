import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '../src/engine/engine.ts'

/**
 * `npm run test:db [-- vitest arguments]`: the suite of test/db on a real ClickHouse. With
 * HEDDLE_TEST_CLICKHOUSE_URL set it uses that one; otherwise it starts the built-in engine for the run.
 */
const given = process.env['HEDDLE_TEST_CLICKHOUSE_URL']
const directory = mkdtempSync(join(tmpdir(), 'heddle-test-'))
const engine = given === undefined ? await startEngine({ directory }) : undefined
const env =
  engine === undefined
    ? process.env
    : {
        ...process.env,
        HEDDLE_TEST_CLICKHOUSE_URL: engine.url,
        HEDDLE_TEST_CLICKHOUSE_USER: engine.username,
        HEDDLE_TEST_CLICKHOUSE_PASSWORD: engine.password,
      }
const run = spawnSync('npx', ['vitest', 'run', '--project', 'db', ...process.argv.slice(2)], { stdio: 'inherit', env })
await engine?.stop()
rmSync(directory, { recursive: true, force: true })
process.exitCode = run.status ?? 1
