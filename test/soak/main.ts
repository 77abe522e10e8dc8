import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { clickhouseClient } from '../../bench/ingest/bare.ts'
import { generate } from '../../bench/ingest/measure.ts'
import { findRunningClickHouse } from '../../src/clickhouse/running.ts'
import { startServerProcess } from '../server-process.ts'
import { drawChart } from './chart.ts'
import { type Client, KEEP_TAG, LastingCalls, SOAKED } from './lasting-calls.ts'
import { growth, type Sample, SERIES, takeSample } from './samples.ts'

/**
 * `npm run soak -- --minutes 45 --rate 4000 [--chart FILE.svg]`: constant ingest with five minutes of retention and a backup
 * every five minutes. Disk, memory and parts must not grow; calls with a tag to keep, with feedback or of another
 * project must all be there at the end, and every other call must be gone. Needs `npm run build`.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '45' },
    rate: { type: 'string', default: '4000' },
    chart: { type: 'string' },
  },
})
const minutes = Number(values.minutes)

const RETENTION_SECONDS = 300
const RETENTION_INTERVAL_SECONDS = 30
/** A policy advances in steps of a twentieth of its age; two runs may be needed, and each takes a while. */
const RETENTION_LAG_SECONDS = RETENTION_SECONDS / 20 + 4 * RETENTION_INTERVAL_SECONDS
const BACKUP_MINUTES = 5
const SAMPLE_MS = 10_000
/** Growth from the middle to the last third of the run. */
const MAX_GROWTH = 1.2

const directory = await mkdtemp(join(tmpdir(), 'heddle-soak-'))
const data = join(directory, 'data')
const backups = join(directory, 'backups')
const environment = {
  HEDDLE_RETENTION_INTERVAL_SECONDS: String(RETENTION_INTERVAL_SECONDS),
  HEDDLE_BACKUP_TARGET: backups,
  HEDDLE_BACKUP_EVERY_MINUTES: String(BACKUP_MINUTES),
  HEDDLE_LOG_LEVEL: 'warn',
}
const apiKey = `hd_${randomBytes(24).toString('hex')}`
const server = await startServerProcess({
  data,
  adminPassword: randomBytes(16).toString('hex'),
  apiKey,
  command: [process.execPath, 'dist/main.js'],
  logFile: join(directory, 'log'),
  environment,
})
const clickhouse = await findRunningClickHouse(data)
if (clickhouse === undefined) throw new Error('the server did not start embedded ClickHouse')
const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`

async function request(method: string, path: string, body: unknown): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}
const client: Client = { post: (path, body) => request('POST', path, body) }

await request('PUT', `/api/v1/projects/${SOAKED}/retention`, {
  calls_max_age_seconds: RETENTION_SECONDS,
  calls_max_bytes: null,
  payloads_max_age_seconds: null,
  payloads_max_bytes: null,
  keep_tags: [KEEP_TAG],
})

const kept = new LastingCalls(client)
const samples: Sample[] = []
const sampled = { project_id: SOAKED, data, apiPid: server.process.pid ?? 0, clickhouse }
const startedMs = performance.now()
const minute = (): number => (performance.now() - startedMs) / 60_000
const load = generate({
  kind: 'complete',
  batch: 100,
  bytes: 3_400,
  url: server.url,
  authorization,
  seconds: minutes * 60,
  connections: 50,
  callsPerSecond: Number(values.rate),
  project_id: SOAKED,
})
while (minute() < minutes) {
  await kept.write()
  const sample = await takeSample(sampled, minute())
  samples.push(sample)
  console.log(JSON.stringify(sample))
  await sleep(SAMPLE_MS)
}
const outcome = await load
console.log(`soak: sent ${outcome?.calls} calls, ${outcome?.refused} requests refused`)

// Everything that may go is old enough after this.
await sleep((RETENTION_SECONDS + RETENTION_LAG_SECONDS) * 1_000)
const execute = clickhouseClient(clickhouse)
const stored = Number(await execute(`SELECT uniqExact(id) FROM calls WHERE project_id = '${SOAKED}'`))
const missing = await kept.check()
const left = stored - kept.soakedCount
const made = await listBackups()
await server.stop()

for (const problem of missing.slice(0, 20)) console.log(`soak: ${problem}`)
const grown = SERIES.map((series) => [series, Math.round(growth(samples, series) * 100) / 100] as const)
const isFlat = grown.every(([, factor]) => factor <= MAX_GROWTH)
console.log(`soak: growth from the middle to the last third: ${JSON.stringify(Object.fromEntries(grown))}`)
console.log(
  `soak: ${made.complete} complete backups, the last one ${made.isVerified ? 'verified' : 'damaged'}`,
)
const areBackupsMade = made.isVerified && made.complete >= Math.floor(minutes / BACKUP_MINUTES) - 1
if (values.chart !== undefined) await writeFile(values.chart, drawChart(samples))
console.log(
  `soak: kept ${kept.count}, missing ${missing.length}, left over ${left}, flat ${isFlat ? 'yes' : 'no'}`,
)
const isPassed = missing.length === 0 && left === 0 && isFlat && areBackupsMade && samples.length > 10
process.exitCode = isPassed ? 0 : 1
if (isPassed) await rm(directory, { recursive: true, force: true })
else console.log(`soak: data, backups and log are in ${directory}`)

/** Complete backups, and whether the checksums of the last one are right. */
async function listBackups(): Promise<{ complete: number; isVerified: boolean }> {
  const run = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dist/main.js', ...args, '--data', data, '--json'],
      {
        env: { ...process.env, ...environment },
        maxBuffer: 64 * 1024 * 1024,
      },
    )
    return stdout
  }
  const list = JSON.parse(await run('backups', 'list')) as { readonly status: string }[]
  const complete = list.filter(({ status }) => status === 'complete').length
  const isVerified = await run('backups', 'verify').then(
    () => true,
    () => false,
  )
  return { complete, isVerified }
}
