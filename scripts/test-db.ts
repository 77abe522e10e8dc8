import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../src/clickhouse/embedded-clickhouse.ts'
import { startClickHouseCluster } from './clickhouse-cluster.ts'
import { startExternalClickHouse } from './external-clickhouse.ts'

/**
 * `npm run test:db [-- vitest arguments]`: runs the tests in test/db on a real ClickHouse: the one named by
 * HEDDLE_TEST_CLICKHOUSE_URL; otherwise the embedded one, or with `--external` one without any of our settings, as a
 * user would bring it, or with `--cluster` two such, as shards.
 */
interface TestClickHouse {
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** The file that names the shards, if there are several. */
  readonly file?: string
  stop(): Promise<void>
}

const FLAGS = ['--external', '--cluster']
const isExternal = process.argv.includes('--external')
const isCluster = process.argv.includes('--cluster')
const directory = mkdtempSync(join(tmpdir(), 'heddle-test-'))

async function start(): Promise<TestClickHouse | undefined> {
  if (process.env['HEDDLE_TEST_CLICKHOUSE_URL'] !== undefined) return undefined
  if (isCluster) {
    const cluster = await startClickHouseCluster(directory, 2)
    return { url: cluster.servers[0]?.url ?? '', file: cluster.file, stop: () => cluster.stop() }
  }
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
        ...(clickhouse.file === undefined ? {} : { HEDDLE_TEST_CLUSTER: clickhouse.file }),
      }
const args = process.argv.slice(2).filter((arg) => !FLAGS.includes(arg))
// While the tests run, this process serves the proxies of the cluster.
const run = spawn('npx', ['vitest', 'run', '--project', 'db', ...args], { stdio: 'inherit', env })
const [status] = (await once(run, 'exit')) as [number | null]
await clickhouse?.stop()
rmSync(directory, { recursive: true, force: true })
process.exitCode = status ?? 1
