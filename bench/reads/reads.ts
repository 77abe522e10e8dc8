import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asker } from '../ingest/bare.ts'
import { type BenchOptions, calm, generate } from '../ingest/ingest.ts'
import { rounded, startWatchedServer, type WatchedServer } from '../ingest/watched-server.ts'
import { fill, READS_PROJECT } from './fill.ts'
import { type Question, questions } from './queries.ts'

const WARM_UP = 3
const TURNS = 15
/** Until the load has reached its rate. */
const SETTLE_MS = 5_000

interface Times {
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Measured {
  readonly question: string
  readonly heddle: Times
  readonly firstByte: Times | undefined
  readonly bare: Times
  readonly ratio: number
  readonly bytes: number
}

/** Every read, over HTTP and as bare SQL by turns, on a project of so many calls with as many of others beside it. */
export async function benchReads({ calls, arriving, data, only, say }: BenchOptions): Promise<object> {
  const server = await startWatchedServer(data)
  try {
    const ask = asker(server.engine)
    const untilMs = await filledUntil(data, calls, () => {
      const now = Date.now()
      return fill({ calls, others: Math.max(calls, 1_000_000), untilMs: now, ask, say }).then(() => now)
    })
    await calm(server)
    const asked = questions(calls, untilMs).filter(
      ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
    )
    const measureAll = async (): Promise<Measured[]> => {
      const measured: Measured[] = []
      for (const question of asked) {
        const result = await measure(question, server.url, server.authorization, ask)
        say(lineOf(result))
        measured.push(result)
      }
      return measured
    }
    const results = await measureAll()
    if (arriving === 0) return { calls, results }
    say(`while ${arriving} calls/s arrive:`)
    return { calls, results, ...(await whileArriving(server, arriving, measureAll)) }
  } finally {
    await server.stop()
  }
}

/** When the newest call began: of the directory's history, or of one made now. */
async function filledUntil(
  data: string | undefined,
  calls: number,
  make: () => Promise<number>,
): Promise<number> {
  if (data === undefined) return make()
  const file = join(data, `filled-${calls}`)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known !== undefined) return Number(known)
  const untilMs = await make()
  await writeFile(file, String(untilMs))
  return untilMs
}

/** Into the same project, as many as are taken. */
async function whileArriving<Result>(
  { url, authorization, engine }: WatchedServer,
  callsPerSecond: number,
  measureAll: () => Promise<Result>,
): Promise<{ arriving: number; whileArriving: Result }> {
  const stored = async (): Promise<number> =>
    Number(await asker(engine)(`SELECT count() FROM calls WHERE project_id = '${READS_PROJECT}'`))
  const leaving = new AbortController()
  const load = generate(
    {
      kind: 'complete',
      url,
      authorization,
      seconds: 3_600,
      connections: 20,
      callsPerSecond,
      project_id: READS_PROJECT,
    },
    leaving.signal,
  )
  await new Promise((wait) => setTimeout(wait, SETTLE_MS))
  const before = { calls: await stored(), at: performance.now() }
  try {
    const result = await measureAll()
    const seconds = (performance.now() - before.at) / 1_000
    return { arriving: Math.round(((await stored()) - before.calls) / seconds), whileArriving: result }
  } finally {
    leaving.abort()
    await load
  }
}

async function measure(
  question: Question,
  url: string,
  authorization: string,
  ask: (statement: string) => Promise<string>,
): Promise<Measured> {
  const heddle: number[] = []
  const first: number[] = []
  const bare: number[] = []
  let bytes = 0
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    const began = performance.now()
    const answer = await fetch(url + question.path, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(question.body(turn)),
    })
    let firstAt: number | undefined
    let length = 0
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      firstAt ??= performance.now()
      length += chunk.length
    }
    const took = performance.now() - began
    if (answer.status !== 200) throw new Error(`${question.name}: ${answer.status}`)
    const before = performance.now()
    await ask(`${question.bare(turn)} FORMAT JSONEachRow`)
    const bareTook = performance.now() - before
    if (turn < WARM_UP) continue
    heddle.push(took)
    bare.push(bareTook)
    if (firstAt !== undefined) first.push(firstAt - began)
    bytes = length
  }
  const times = timesOf(heddle)
  const bareTimes = timesOf(bare)
  return {
    question: question.name,
    heddle: times,
    firstByte: question.isStream === true ? timesOf(first) : undefined,
    bare: bareTimes,
    ratio: rounded(times.p50Ms / bareTimes.p50Ms),
    bytes,
  }
}

function timesOf(values: readonly number[]): Times {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

function lineOf({ question, heddle, bare, firstByte, ratio, bytes }: Measured): string {
  const begins = firstByte === undefined ? '' : `, first bytes ${firstByte.p50Ms}`
  return `${question}: p50 ${heddle.p50Ms} ms${begins}, p95 ${heddle.p95Ms}; bare ${bare.p50Ms}, p95 ${bare.p95Ms}; ratio ${ratio}; ${bytes} bytes`
}
