import { Client, type ClientOptions, type Tally } from './client.ts'
import { findFault, expectedVisibility } from './expected.ts'
import type { FactName, History } from './history.ts'
import { Random } from './random.ts'
import { BLOCK, PROJECTS, type Records } from './records.ts'

/** The state of one load generator for calls. */
export interface Load {
  readonly client: Client
  readonly history: History
  readonly records: Records
  readonly random: Random
  readonly tally: Tally
  /**
   * Share of blocks followed by a rename, by a deletion, or by a read through another node. Each of these is
   * expensive for ClickHouse.
   */
  readonly followUpShare: number
  /** Several writes of the same calls are in flight, so none of them supersedes another. */
  readonly isConcurrent?: boolean
}

export interface LoadOptions extends ClientOptions {
  readonly history: History
  readonly records: Records
  readonly seed: number
  readonly followUpShare: number
}

/** The index gives each client its own random sequence, which is the same for the same seed. */
export function createLoad(options: LoadOptions, index: number): Load {
  const { history, records, tally, seed, followUpShare } = options
  const random = new Random(seed + 1 + index)
  return { client: new Client(options, random), history, records, random, tally, followUpShare }
}

type Write = (load: Load, calls: readonly number[]) => Promise<void>

const SINGLES = 20

export const DEFAULT_FOLLOW_UP_SHARE = 0.06

/** Writes blocks of calls, each in one of the request shapes that SDKs use, until the signal aborts. */
export async function writeCalls(load: Load, signal: AbortSignal): Promise<void> {
  const { history, random, followUpShare } = load
  while (!signal.aborted) {
    const first = history.takeBlock()
    const calls = Array.from({ length: BLOCK }, (_, i) => first + i)
    const { write } = random.weighted(SHAPES)
    await write(load, calls)
    if (random.chance(followUpShare)) await rename(load, first + random.between(0, SINGLES - 1))
    if (random.chance(followUpShare)) await remove(load, first + random.between(1, SINGLES - 1))
    if (random.chance(followUpShare)) await readBackFromAnyNode(load, calls)
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

/** Different complete records of the same calls. */
const secondComplete: Write = (load, calls) =>
  send(
    load,
    ['second_start', 'second_end'],
    calls,
    completePath(load, calls),
    batch(calls.map((n) => load.records.complete(n, 1))),
  )

const starts: Write = (load, calls) => upsert(load, 'start', calls, (n) => startItem(load, n, 0))
const secondStarts: Write = (load, calls) => upsert(load, 'second_start', calls, (n) => startItem(load, n, 1))
const ends: Write = (load, calls) => upsert(load, 'end', calls, (n) => endItem(load, n, 0))
const secondEnds: Write = (load, calls) => upsert(load, 'second_end', calls, (n) => endItem(load, n, 1))

/** Start and end in one request, each end before its start. */
const mixed: Write = (load, calls) =>
  send(
    load,
    ['end', 'start'],
    calls,
    '/call/upsert_batch',
    batch(calls.flatMap((n) => [endItem(load, n, 0), startItem(load, n, 0)])),
    2,
  )

/** One request per record, as SDKs without batching send them. */
const singles: Write = async (load, calls) => {
  await Promise.all(
    calls.slice(0, SINGLES).map(async (n) => {
      await send(load, ['start'], [n], '/call/start', `{"start":${load.records.start(n)}}`)
      await send(load, ['end'], [n], '/call/end', `{"end":${load.records.end(n)}}`)
    }),
  )
}

const sequentially =
  (...writes: readonly Write[]): Write =>
  async (load, calls) => {
    for (const write of writes) await write(load, calls)
  }

/** Concurrently, each to a random node. */
const concurrently =
  (...writes: readonly Write[]): Write =>
  async (load, calls) => {
    const concurrent = { ...load, isConcurrent: true }
    await Promise.all(writes.map((write) => write(concurrent, calls)))
  }

/** The weights follow what SDKs send; the rare shapes cost ClickHouse several statements each. */
const SHAPES: readonly { readonly weight: number; readonly write: Write }[] = [
  { weight: 120, write: complete },
  { weight: 30, write: sequentially(starts, ends) },
  { weight: 10, write: mixed },
  { weight: 4, write: sequentially(ends, starts) },
  { weight: 4, write: concurrently(starts, ends) },
  { weight: 3, write: sequentially(starts, complete) },
  { weight: 3, write: concurrently(starts, complete) },
  { weight: 3, write: sequentially(starts, secondEnds, ends) },
  { weight: 3, write: sequentially(complete, secondEnds) },
  { weight: 3, write: sequentially(starts, secondStarts, ends) },
  { weight: 3, write: sequentially(starts, ends, secondStarts, starts) },
  { weight: 3, write: sequentially(complete, secondComplete) },
  { weight: 2, write: sequentially(starts, ends, secondEnds, ends) },
  { weight: 2, write: sequentially(concurrently(starts, secondStarts), ends) },
  { weight: 2, write: concurrently(complete, secondComplete) },
  { weight: 2, write: sequentially(starts, concurrently(ends, secondEnds)) },
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
  // A repeated start leaves the new name.
  const state = load.history.stateOf(n, 'start')
  if (state === 'acked' && load.history.stateOf(n, 'second_start') === 'nothing' && random.chance(0.3))
    await starts(load, [n])
}

/** Deletes a leaf of its trace: a deletion includes descendants, and a leaf has none. */
async function remove(load: Load, n: number): Promise<void> {
  const leaf = n % 10 === 0 ? n + 1 : n
  const body = `{"project_id":"${projectOf(load, leaf)}","call_ids":["${load.records.idOf(leaf)}"]}`
  await send(load, ['deletion'], [leaf], '/calls/delete', body)
}

/** Reads acknowledged calls immediately through a random node, by list and by id: each must be complete. */
async function readBackFromAnyNode(load: Load, calls: readonly number[]): Promise<void> {
  const { client, history, records, random, tally } = load
  const expected = calls.filter((n) => expectedVisibility(history, n) === 'must')
  const [some] = expected
  if (some === undefined) return
  const ids = calls.map((n) => `"${records.idOf(n)}"`).join(',')
  const list = await client.attempt(
    '/calls/stream_query',
    `{"project_id":"${projectOf(load, some)}","filter":{"call_ids":[${ids}]}}`,
    random.pick(client.targets),
    random.chance(0.5),
  )
  if (list?.status === 200) {
    tally.readBack++
    const lines = list.text.split('\n').filter((line) => line !== '')
    const seen = new Map(lines.map((line) => [callIdIn(line), line]))
    if (seen.size !== lines.length) tally.reportError(`a list shows a call twice: block ${calls[0]}`)
    for (const n of expected) {
      const line = seen.get(records.idOf(n))
      if (line === undefined && list.isPartial) continue
      const fault = line === undefined ? { part: 'call' } : findFault(history, records, n, line)
      if (fault !== undefined) {
        tally.reportError(
          `${records.idOf(n)} (${history.describe(n)}) was acknowledged, but the list lacks its ${fault.part}: ${line?.slice(0, 2000)}`,
        )
      }
    }
  }
  const n = random.pick(expected)
  const read = await client.attempt(
    '/call/read',
    `{"project_id":"${projectOf(load, n)}","id":"${records.idOf(n)}"}`,
    random.pick(client.targets),
  )
  if (read?.status !== 200) return
  tally.readBack++
  const fault = findFault(history, records, n, read.text)
  if (fault !== undefined) {
    tally.reportError(
      `${records.idOf(n)} (${history.describe(n)}) was acknowledged, but a read lacks its ${fault.part}: ${read.text.slice(0, 2000)}`,
    )
  }
}

export function callIdIn(line: string): string {
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

/** Sends a request; records the facts as sent before, and as acknowledged after a 200. */
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
  for (const n of calls) {
    for (const fact of facts) {
      history.ack(n, fact)
      const other = OTHER_VARIANT[fact]
      if (other !== undefined && load.isConcurrent !== true) history.supersede(n, other)
    }
  }
  history.acked += calls.length * recordsPerCall
}

const batch = (items: readonly string[]): string => `{"batch":[${items.join(',')}]}`

/** The last acknowledged of these wins. */
const OTHER_VARIANT: Partial<Record<FactName, FactName>> = {
  start: 'second_start',
  second_start: 'start',
  end: 'second_end',
  second_end: 'end',
}

const startItem = ({ records }: Load, n: number, variant: 0 | 1): string =>
  `{"mode":"start","req":{"start":${records.start(n, variant)}}}`

const endItem = ({ records }: Load, n: number, variant: 0 | 1): string =>
  `{"mode":"end","req":{"end":${records.end(n, variant)}}}`

const projectOf = ({ records }: Load, n: number): string => PROJECTS[records.projectOf(n)]!

const completePath = (load: Load, calls: readonly number[]): string =>
  `/v2/${projectOf(load, calls[0]!)}/calls/complete`
