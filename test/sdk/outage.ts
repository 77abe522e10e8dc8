import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { startServerProcess } from '../server-process.ts'
import { type ProgramResult, programEnvironment, runProgram, typescriptVariables } from './program.ts'

/**
 * Outage test: stops ClickHouse while a Python and a TypeScript program each log 50 calls per second and run two
 * evaluations, one started before the outage and one during it. Afterwards every call must be stored and finished, and
 * neither program may have failed.
 */
export interface OutageOptions {
  readonly apiKey: string
  readonly directory: string
  readonly seconds: number
  readonly python: string
  /** The folder of the TypeScript programs. */
  readonly programs: string
}

interface Count {
  readonly passed: number
  readonly failed: number
}

const LEAD_SECONDS = 10
const PROJECT = 'admin/outage'
const EVALUATED_ROWS = 60

export async function runOutageTest(options: OutageOptions): Promise<{ python: Count; typescript: Count }> {
  const { apiKey, directory, seconds } = options
  console.log(`\n--- ClickHouse stopped for ${seconds} s`)
  const data = join(directory, 'outage')
  await mkdir(data)
  let clickhouse = await startExternalClickHouse(data)
  const server = await startServerProcess({
    data: join(directory, 'outage-unused'),
    adminPassword: randomBytes(16).toString('hex'),
    apiKey,
    clickhouseUrl: clickhouse.url,
  })
  try {
    const env = await programEnvironment(server.url, apiKey, directory)
    const args = [PROJECT, String(LEAD_SECONDS + seconds + LEAD_SECONDS)]
    const program = fileURLToPath(new URL('python/outage.py', import.meta.url))
    const running = Promise.all([
      runProgram([options.python, program, ...args], { env, cwd: directory, isQuiet: true }),
      runProgram([process.execPath, join(options.programs, 'outage.mjs'), ...args], {
        env: typescriptVariables(env),
        cwd: directory,
        isQuiet: true,
      }),
    ])
    await waitForFirstCalls(server.url, apiKey)
    await sleep(LEAD_SECONDS * 500)
    await clickhouse.stop()
    const stoppedMs = performance.now()
    await sleep(seconds * 1000)
    // Otherwise the server uses another ClickHouse, and the test proves nothing.
    if ((await fetch(`${server.url}/readyz`)).status !== 503)
      throw new Error('the server stayed ready while ClickHouse was stopped')
    clickhouse = await startExternalClickHouse(data, { port: Number(new URL(clickhouse.url).port) })
    console.log(`ClickHouse was down for ${((performance.now() - stoppedMs) / 1000).toFixed(1)} s`)
    const [python, typescript] = await running
    return {
      python: await checkProgram('python', python, server.url, apiKey),
      typescript: await checkProgram('typescript', typescript, server.url, apiKey),
    }
  } finally {
    await server.stop()
    await clickhouse.stop()
  }
}

/** Waits until both programs have logged calls. */
async function waitForFirstCalls(url: string, apiKey: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 200) {
    const calls = await readCalls(url, apiKey)
    if (['python', 'typescript'].every((name) => calls.some((call) => call.op.startsWith(name)))) return
    await sleep(200)
  }
  throw new Error('the programs did not start logging calls')
}

interface StoredCall {
  readonly op: string
  readonly name: string
  readonly n: number | undefined
  readonly isFinished: boolean
}

async function readCalls(url: string, apiKey: string): Promise<StoredCall[]> {
  const response = await fetch(`${url}/calls/stream_query`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}` },
    body: JSON.stringify({ project_id: PROJECT }),
  })
  if (!response.ok) throw new Error(`reading calls returned ${response.status}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const call = JSON.parse(line) as {
      op_name: string
      ended_at: string | null
      exception: string | null
      inputs: Record<string, unknown>
      output: { n?: number } | null
    }
    return {
      op: /\/op\/([^:]+):/.exec(call.op_name)?.[1] ?? call.op_name,
      name: JSON.stringify(call.inputs),
      n: call.output?.n,
      isFinished: call.ended_at !== null && call.exception === null,
    }
  })
}

async function checkProgram(
  language: 'python' | 'typescript',
  result: ProgramResult,
  url: string,
  apiKey: string,
): Promise<Count> {
  const report = parseReport(result.output)
  const calls = await readCalls(url, apiKey)
  const ours = calls.filter((call) => call.op.startsWith(language))
  const count = (op: RegExp) => ours.filter((call) => op.test(call.op) && call.isFinished).length
  const ticks = new Set(ours.filter((call) => /tick/i.test(call.op)).map((call) => call.n))
  const roots = calls.filter(
    (call) => call.op === 'Evaluation.evaluate' && call.name.includes(`${language}-`),
  )
  const checks: [string, boolean][] = [
    [`the ${language} program succeeded`, result.code === 0 && report !== undefined],
    [
      `its ${report?.ticks} calls are stored exactly once`,
      ticks.size === report?.ticks && count(/tick/i) === ticks.size,
    ],
    [`its evaluations are finished`, roots.length === 2 && roots.every((call) => call.isFinished)],
    [
      `every row of its evaluations was predicted and scored`,
      count(/model/i) === 2 * EVALUATED_ROWS && count(/scorer/i) === 2 * EVALUATED_ROWS,
    ],
  ]
  for (const [name, isPassed] of checks) console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${name}`)
  if (report !== undefined) console.log(`     slowest step: ${report.slowest_ms} ms`)
  const failed = checks.filter(([, isPassed]) => !isPassed).length
  if (failed > 0) {
    console.log(
      `     ticks ${ticks.size}, models ${count(/model/i)}, scorers ${count(/scorer/i)}, roots ${roots.length}`,
    )
    console.log(result.output.slice(-6000))
  }
  return { passed: checks.length - failed, failed }
}

function parseReport(output: string): { ticks: number; slowest_ms: number } | undefined {
  const line = output.split('\n').findLast((each) => each.startsWith('{"ticks"'))
  return line === undefined ? undefined : (JSON.parse(line) as { ticks: number; slowest_ms: number })
}
