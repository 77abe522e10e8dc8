import { request } from 'node:http'
import type { RunningEngine } from '../../src/clickhouse/running.ts'
import { ROWS_PER_FILE } from '../../src/cli/export.ts'
import { asker } from '../ingest/bare.ts'
import type { BenchOptions } from '../ingest/ingest.ts'
import { rounded, startWatchedServer } from '../ingest/watched-server.ts'
import { fill, READS_PROJECT } from '../reads/fill.ts'

const TURNS = 3

interface Way {
  readonly name: string
  readonly take: () => Promise<number>
}

interface Measured {
  readonly name: string
  readonly callsPerSecond: number
  readonly megabytes: number
  /** Its usual rate beside that of the bare engine's own, as it likes it best: in no order. */
  readonly ofBare: number
}

const PAYLOADS =
  'id, project_id, op_name, display_name, trace_id, parent_id, thread_id, turn_id, started_at, ended_at, attributes, inputs, output, exception, summary, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, otel_dump'

/** A project's calls as Parquet over HTTP, beside what the engine itself writes of the same rows, by turns. */
export async function benchExport({ calls, only, say }: BenchOptions): Promise<object> {
  const server = await startWatchedServer()
  try {
    await fill({ calls, others: 0, untilMs: Date.now(), ask: asker(server.engine), say })
    const headers = { authorization: server.authorization }
    const path = `${server.url}/api/v1/projects/${READS_PROJECT}/export?what=calls&format=`
    const rows = `SELECT ${PAYLOADS} FROM calls FINAL WHERE project_id = '${READS_PROJECT}'`
    const ways: Way[] = [
      { name: 'bare', take: () => ask(server.engine, `${rows} FORMAT Parquet`) },
      {
        name: 'bare in order',
        take: () => ask(server.engine, `${rows} ORDER BY started_at, id FORMAT Parquet`),
      },
      { name: 'parquet', take: () => download(`${path}parquet`, headers) },
      { name: 'parquet in pieces', take: () => downloadPieces(`${path}parquet`, headers) },
      { name: 'jsonl', take: () => download(`${path}jsonl`, headers) },
    ].filter(({ name }) => name === 'bare' || only.length === 0 || only.includes(name))
    const times = new Map(ways.map(({ name }) => [name, { seconds: [] as number[], bytes: 0 }]))
    for (let turn = 0; turn < TURNS; turn++) {
      for (const { name, take } of ways) {
        const began = performance.now()
        const bytes = await take()
        const seconds = (performance.now() - began) / 1_000
        times.get(name)?.seconds.push(seconds)
        times.set(name, { seconds: times.get(name)?.seconds ?? [], bytes })
        say(`${name}: ${rounded(seconds)} s, ${rounded(bytes / 1e6)} MB`)
      }
    }
    const usual = (name: string): number => {
      const sorted = (times.get(name)?.seconds ?? []).toSorted((a, b) => a - b)
      return sorted[sorted.length >> 1] ?? Number.NaN
    }
    const results: Measured[] = ways.map(({ name }) => ({
      name,
      callsPerSecond: Math.round(calls / usual(name)),
      megabytes: rounded((times.get(name)?.bytes ?? 0) / 1e6),
      ofBare: rounded(usual('bare') / usual(name)),
    }))
    for (const { name, callsPerSecond, ofBare } of results)
      say(`${name.padEnd(18)} ${callsPerSecond} calls/s, ${ofBare} of bare`)
    return { calls, turns: TURNS, results }
  } finally {
    await server.stop()
  }
}

/** With the settings that make it show each call once, and the format's own defaults. */
function ask(engine: RunningEngine, statement: string): Promise<number> {
  const settings = 'database=heddle&do_not_merge_across_partitions_select_final=1'
  const headers = { 'x-clickhouse-user': engine.username, 'x-clickhouse-key': engine.password }
  return download(`${engine.url}/?${settings}&query=${encodeURIComponent(statement)}`, headers)
}

async function downloadPieces(url: string, headers: Record<string, string>): Promise<number> {
  let bytes = 0
  let after = ''
  for (;;) {
    const piece = await answer(`${url}&limit=${ROWS_PER_FILE}${after}`, headers)
    bytes += piece.bytes
    if (Number(piece.headers['x-export-rows']) < ROWS_PER_FILE) return bytes
    after = `&after=${String(piece.headers['x-export-next'])}`
  }
}

async function download(url: string, headers: Record<string, string>): Promise<number> {
  return (await answer(url, headers)).bytes
}

interface Downloaded {
  readonly bytes: number
  readonly headers: NodeJS.Dict<string | string[]>
}

/** As plain as it gets: what measures must not be what is measured, and nothing is compressed on the way. */
function answer(url: string, headers: Record<string, string>): Promise<Downloaded> {
  return new Promise((settle, fail) => {
    request(url, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', fail)
      response.on('end', () => {
        if (response.statusCode === 200) settle({ bytes, headers: response.headers })
        else fail(new Error(`the answer was ${response.statusCode}`))
      })
    })
      .on('error', fail)
      .end()
  })
}
