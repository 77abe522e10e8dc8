import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../scripts/external-clickhouse.ts'
import { isResponding } from '../../../src/clickhouse/ping.ts'
import { TESTED_VERSION } from '../../../src/store/database/clickhouse-client.ts'
import { waitUntil } from '../../wait-until.ts'
import type { OpsContext } from '../suite.ts'

/** `deploy/clickhouse`, merged by ClickHouse itself into a configuration like that of the official packages. */

const SYSTEM_LOGS = [
  'query_log',
  'trace_log',
  'text_log',
  'metric_log',
  'asynchronous_metric_log',
  'part_log',
]

const EXPECTED: Readonly<Record<string, string>> = {
  cache_size_to_ram_max_ratio: '0.1',
  index_mark_cache_size: '268435456',
  max_server_memory_usage_to_ram_ratio: '0.8',
  compatibility: TESTED_VERSION,
  log_queries: '1',
  log_queries_min_query_duration_ms: '1000',
  query_profiler_real_time_period_ns: '0',
  query_profiler_cpu_time_period_ns: '0',
  http_max_fields: '100000',
  max_query_size: '16777216',
}

export async function checkClickHouseSettings(
  check: OpsContext['check'],
  parentDirectory: string,
): Promise<void> {
  const directory = join(parentDirectory, 'clickhouse')
  writeConfiguration(directory)
  const port = await freePort()
  const script = fileURLToPath(new URL('../../../scripts/external-clickhouse-child.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [
      '--import',
      import.meta.resolve('tsx'),
      script,
      join(directory, 'data'),
      String(port),
      String(await freePort()),
      join(directory, 'config.xml'),
    ],
    { cwd: directory, stdio: ['pipe', 'inherit', 'inherit', 'ipc'] },
  )
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntil(() => isResponding(`${url}/ping`), 30_000)
    await check('ClickHouse applies the settings in deploy/clickhouse', async () => {
      const names = Object.keys(EXPECTED).map((name) => `'${name}'`)
      const statement = ['system.server_settings', 'system.settings'].map(
        (table) => `SELECT name, value FROM ${table} WHERE name IN (${names.join(', ')})`,
      )
      const text = await query(url, `${statement.join(' UNION ALL ')} FORMAT TSV`)
      const found = Object.fromEntries(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t')),
      )
      for (const [name, value] of Object.entries(EXPECTED))
        if (found[name] !== value) throw new Error(`${name} is ${found[name]}, not ${value}`)
    })
    await check('its own logs are merges, inserts and slow queries, for three days', async () => {
      await query(url, 'SELECT 1')
      await query(url, 'SELECT sleep(1.2)')
      await query(url, 'CREATE TABLE t (n UInt8) ENGINE = MergeTree ORDER BY n')
      await query(url, 'INSERT INTO t VALUES (1)')
      await query(url, 'SYSTEM FLUSH LOGS')
      const tables = await query(
        url,
        `SELECT name, position(engine_full, 'TTL event_date + toIntervalDay(3)') > 0 FROM system.tables
         WHERE database = 'system' AND name LIKE '%_log' ORDER BY name FORMAT TSV`,
      )
      if (tables !== 'part_log\t1\nquery_log\t1\n') throw new Error(`there are ${tables}`)
      const logged = await query(
        url,
        `SELECT (SELECT count() > 0 AND countIf(query NOT LIKE '%sleep%') = 0 FROM system.query_log),
           (SELECT count() > 0 FROM system.part_log WHERE table = 't') FORMAT TSV`,
      )
      if (logged !== '1\t1\n') throw new Error(`slow queries and parts in the logs: ${logged}`)
    })
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

function writeConfiguration(directory: string): void {
  mkdirSync(directory)
  cpSync(new URL('../../../deploy/clickhouse', import.meta.url), directory, { recursive: true })
  const users = join(directory, 'users.xml')
  const logs = SYSTEM_LOGS.map(
    (name) => `<${name}><database>system</database><table>${name}</table></${name}>`,
  )
  writeFileSync(
    join(directory, 'config.xml'),
    `<clickhouse><users_config>${users}</users_config>${logs.join('')}</clickhouse>`,
  )
  writeFileSync(
    users,
    `<clickhouse>
  <profiles><default><log_queries>1</log_queries></default></profiles>
  <quotas><default/></quotas>
  <users><default><password/><profile>default</profile><quota>default</quota></default></users>
</clickhouse>`,
  )
}

async function query(url: string, statement: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: statement })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
