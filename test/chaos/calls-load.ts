import { Client, type ClientOptions, type Tally } from './client.ts'
import { judge, sightOf } from './expected.ts'
import type { FactName, History } from './history.ts'
import { Random } from './random.ts'
import { BLOCK, PROJECTS, type Records } from './records.ts'

/** What one writer of calls has at hand. */
export interface Load {
  readonly client: Client
  readonly history: History
  readonly records: Records
  readonly random: Random
  readonly tally: Tally
  /** Of blocks that are followed by a new name, by a deletion, by a look from another node: each asks the engine for much. */
  readonly oddShare: number
}

export interface LoadOptions extends ClientOptions {
  readonly history: History
  readonly records: Records
  readonly seed: number
  readonly oddShare: number
}

/** The index tells clients apart: each goes its own way, the same with the same seed. */
export function createLoad(options: LoadOptions, index: number): Load {
  const { history, records, tally, seed, oddShare } = options
  const random = new Random(seed + 1 + index)
  return { client: new Client(options, random), history, records, random, tally, oddShare }
}

type Write = (load: Load, calls: readonly number[]) => Promise<void>

const SINGLES = 20

export const ODD_SHARE = 0.06

/** Writes blocks of calls, each in one of the shapes that SDKs use, until told to stop. */
export async function writeCalls(load: Load, signal: AbortSignal): Promise<void> {
  const { history, random, oddShare } = load
  while (!signal.aborted) {
    const first = history.takeBlock()
    const calls = Array.from({ length: BLOCK }, (_, i) => first + i)
    const { write } = random.weighted(SHAPES)
    await write(load, calls)
    if (random.chance(oddShare)) await rename(load, first + random.between(0, SINGLES - 1))
    if (random.chance(oddShare)) await remove(load, first + random.between(1, SINGLES - 1))
    if (random.chance(oddShare)) await readElsewhere(load, calls)
  }
}

const complete: Write = (load, calls) =>
  send(
    load,
    ['start', 'end'],
    calls,
    completePath(load, calls),
    batch(calls.map((n) => load.records.complete(n))),
  )

const starts: Write = (load, calls) => upsert(load, 'start', calls, (n) => startItem(load, n))
const ends: Write = (load, calls) => upsert(load, 'end', calls, (n) => endItem(load, n, 0))
const secondEnds: Write = (load, calls) => upsert(load, 'second_end', calls, (n) => endItem(load, n, 1))

/** Both in one request, the end before its start. */
const mixed: Write = (load, calls) =>
  send(
    load,
    ['end', 'start'],
    calls,
    '/call/upsert_batch',
    batch(calls.flatMap((n) => [endItem(load, n, 0), startItem(load, n)])),
    2,
  )

/** One request for each record, as SDKs of one call at a time do. */
const singles: Write = async (load, calls) => {
  await Promise.all(
    calls.slice(0, SINGLES).map(async (n) => {
      await send(load, ['start'], [n], '/call/start', `{"start":${load.records.start(n)}}`)
      await send(load, ['end'], [n], '/call/end', `{"end":${load.records.end(n)}}`)
    }),
  )
}

const inTurn =
  (...writes: readonly Write[]): Write =>
  async (load, calls) => {
    for (const write of writes) await write(load, calls)
  }

/** Both halves at once, to whatever nodes. */
const atOnce =
  (...writes: readonly Write[]): Write =>
  async (load, calls) => {
    await Promise.all(writes.map((write) => write(load, calls)))
  }

/** Most of it is what SDKs send most; the odd ones cost the engine several statements each. */
const SHAPES: readonly { readonly weight: number; readonly write: Write }[] = [
  { weight: 120, write: complete },
  { weight: 30, write: inTurn(starts, ends) },
  { weight: 10, write: mixed },
  { weight: 4, write: inTurn(ends, starts) },
  { weight: 4, write: atOnce(starts, ends) },
  { weight: 3, write: inTurn(starts, complete) },
  { weight: 3, write: atOnce(starts, complete) },
  { weight: 3, write: inTurn(starts, secondEnds, ends) },
  { weight: 3, write: inTurn(complete, secondEnds) },
  { weight: 6, write: starts },
  { weight: 1, write: ends },
  { weight: 5, write: singles },
]

async function rename(load: Load, n: number): Promise<void> {
  const { records, random } = load
  const update = (fact: 'name' | 'second_name', variant: 0 | 1): Promise<void> =>
    send(
      load,
      [fact],
      [n],
      '/call/update',
      `{"project_id":"${projectOf(load, n)}","call_id":"${records.idOf(n)}","display_name":"${records.nameOf(n, variant)}"}`,
    )
  await update('name', 0)
  if (random.chance(0.3)) await update('second_name', 1)
}

/** A leaf of its trace, so that nothing else goes with it. */
async function remove(load: Load, n: number): Promise<void> {
  const leaf = n % 10 === 0 ? n + 1 : n
  const body = `{"project_id":"${projectOf(load, leaf)}","call_ids":["${load.records.idOf(leaf)}"]}`
  await send(load, ['deletion'], [leaf], '/calls/delete', body)
}

/** What was acknowledged is read at once through a node, by list and by id, whole or not at all. */
async function readElsewhere(load: Load, calls: readonly number[]): Promise<void> {
  const { client, history, records, random, tally } = load
  const wanted = calls.filter((n) => sightOf(history, n) === 'must')
  const [some] = wanted
  if (some === undefined) return
  const ids = calls.map((n) => `"${records.idOf(n)}"`).join(',')
  const list = await client.attempt(
    '/calls/stream_query',
    `{"project_id":"${projectOf(load, some)}","filter":{"call_ids":[${ids}]}}`,
    random.pick(client.targets),
  )
  if (list?.status === 200) {
    tally.readBack++
    const lines = list.text.split('\n').filter((line) => line !== '')
    const seen = new Map(lines.map((line) => [idIn(line), line]))
    if (seen.size !== lines.length) tally.say(`a list shows a call twice: block ${calls[0]}`)
    for (const n of wanted) {
      const line = seen.get(records.idOf(n))
      const fault = line === undefined ? { what: 'call' } : judge(history, records, n, line)
      if (fault !== undefined) {
        tally.say(
          `${records.idOf(n)} (${history.describe(n)}) was acknowledged, and the list lacks its ${fault.what}: ${line?.slice(0, 2000)}`,
        )
      }
    }
  }
  const n = random.pick(wanted)
  const read = await client.attempt(
    '/call/read',
    `{"project_id":"${projectOf(load, n)}","id":"${records.idOf(n)}"}`,
    random.pick(client.targets),
  )
  if (read?.status !== 200) return
  tally.readBack++
  const fault = judge(history, records, n, read.text)
  if (fault !== undefined) {
    tally.say(
      `${records.idOf(n)} (${history.describe(n)}) was acknowledged, and a read lacks its ${fault.what}: ${read.text.slice(0, 2000)}`,
    )
  }
}

export function idIn(line: string): string {
  const at = line.indexOf('"id":"') + 6
  return line.slice(at, line.indexOf('"', at))
}

function upsert(
  load: Load,
  fact: FactName,
  calls: readonly number[],
  item: (n: number) => string,
): Promise<void> {
  return send(load, [fact], calls, '/call/upsert_batch', batch(calls.map(item)))
}

/** Notes what was sent before it is, and what was acknowledged after. */
async function send(
  load: Load,
  facts: readonly FactName[],
  calls: readonly number[],
  path: string,
  body: string,
  recordsPerCall = 1,
): Promise<void> {
  const { client, history } = load
  for (const n of calls) for (const fact of facts) history.sent(n, fact)
  if (!(await client.deliver(path, body))) return
  for (const n of calls) for (const fact of facts) history.ack(n, fact)
  history.acked += calls.length * recordsPerCall
}

const batch = (items: readonly string[]): string => `{"batch":[${items.join(',')}]}`

const startItem = ({ records }: Load, n: number): string =>
  `{"mode":"start","req":{"start":${records.start(n)}}}`

const endItem = ({ records }: Load, n: number, variant: 0 | 1): string =>
  `{"mode":"end","req":{"end":${records.end(n, variant)}}}`

const projectOf = ({ records }: Load, n: number): string => PROJECTS[records.projectOf(n)]!

const completePath = (load: Load, calls: readonly number[]): string =>
  `/v2/${projectOf(load, calls[0]!)}/calls/complete`
