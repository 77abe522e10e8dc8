import { request } from 'node:http'
import type { RunningClickHouse } from '../../src/clickhouse/running.ts'
import { ROWS_PER_FILE } from '../../src/cli/export.ts'
import { clickhouseClient } from '../ingest/bare.ts'
import type { BenchOptions } from '../options.ts'
import { rounded, startMeasuredServer } from '../ingest/measured-server.ts'
import { fill, READS_PROJECT } from '../reads/fill.ts'

const ROUNDS = 3

interface ExportVariant {
  readonly name: string
  readonly run: () => Promise<number>
}

interface Measured {
  readonly name: string
  readonly callsPerSecond: number
  readonly megabytes: number
  /** Median rate relative to a bare ClickHouse query without ORDER BY. */
  readonly ratioToBare: number
}

const PAYLOADS =
  'id, project_id, op_name, display_name, trace_id, parent_id, thread_id, turn_id, started_at, ended_at, attributes, inputs, output, exception, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump'

/** Exports a project's calls over HTTP and compares it with ClickHouse writing the same rows; variants alternate. */
export async function benchExport({ calls, only, print }: BenchOptions): Promise<object> {
  const server = await startMeasuredServer()
  try {
    await fill({ calls, others: 0, untilMs: Date.now(), execute: clickhouseClient(server.clickhouse), print })
    const headers = { authorization: server.authorization }
    const path = `${server.url}/api/v1/projects/${READS_PROJECT}/export?what=calls&format=`
    const rows = `SELECT ${PAYLOADS} FROM calls FINAL WHERE project_id = '${READS_PROJECT}'`
    const variants: ExportVariant[] = [
      { name: 'bare', run: () => downloadQuery(server.clickhouse, `${rows} FORMAT Parquet`) },
      {
        name: 'bare in order',
        run: () => downloadQuery(server.clickhouse, `${rows} ORDER BY started_at, id FORMAT Parquet`),
      },
      { name: 'parquet', run: () => download(`${path}parquet`, headers) },
      { name: 'parquet in pieces', run: () => downloadFiles(`${path}parquet`, headers) },
      { name: 'jsonl', run: () => download(`${path}jsonl`, headers) },
    ].filter(({ name }) => name === 'bare' || only.length === 0 || only.includes(name))
    const times = new Map(variants.map(({ name }) => [name, { seconds: [] as number[], bytes: 0 }]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, run } of variants) {
        const began = performance.now()
        const bytes = await run()
        const seconds = (performance.now() - began) / 1_000
        times.get(name)?.seconds.push(seconds)
        times.set(name, { seconds: times.get(name)?.seconds ?? [], bytes })
        print(`${name}: ${rounded(seconds)} s, ${rounded(bytes / 1e6)} MB`)
      }
    }
    const median = (name: string): number => {
      const sorted = (times.get(name)?.seconds ?? []).toSorted((a, b) => a - b)
      return sorted[sorted.length >> 1] ?? Number.NaN
    }
    const results: Measured[] = variants.map(({ name }) => ({
      name,
      callsPerSecond: Math.round(calls / median(name)),
      megabytes: rounded((times.get(name)?.bytes ?? 0) / 1e6),
      ratioToBare: rounded(median('bare') / median(name)),
    }))
    for (const { name, callsPerSecond, ratioToBare } of results)
      print(`${name.padEnd(18)} ${callsPerSecond} calls/s, ${ratioToBare} of bare`)
    return { calls, rounds: ROUNDS, results }
  } finally {
    await server.stop()
  }
}

/** With the setting that makes FINAL cheap, and ClickHouse's defaults for the format. */
function downloadQuery(clickhouse: RunningClickHouse, statement: string): Promise<number> {
  const settings = 'database=heddle&do_not_merge_across_partitions_select_final=1'
  const headers = { 'x-clickhouse-user': clickhouse.username, 'x-clickhouse-key': clickhouse.password }
  return download(`${clickhouse.url}/?${settings}&query=${encodeURIComponent(statement)}`, headers)
}

async function downloadFiles(url: string, headers: Record<string, string>): Promise<number> {
  let bytes = 0
  let after = ''
  for (;;) {
    const file = await get(`${url}&limit=${ROWS_PER_FILE}${after}`, headers)
    bytes += file.bytes
    if (Number(file.headers['x-export-rows']) < ROWS_PER_FILE) return bytes
    after = `&after=${String(file.headers['x-export-next'])}`
  }
}

async function download(url: string, headers: Record<string, string>): Promise<number> {
  return (await get(url, headers)).bytes
}

interface Downloaded {
  readonly bytes: number
  readonly headers: NodeJS.Dict<string | string[]>
}

/** A minimal client without compression, so that the client is not the bottleneck. */
function get(url: string, headers: Record<string, string>): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ bytes, headers: response.headers })
        else reject(new Error(`unexpected status ${response.statusCode}`))
      })
    })
      .on('error', reject)
      .end()
  })
}
