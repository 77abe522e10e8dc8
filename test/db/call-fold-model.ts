import fc from 'fast-check'
import { expect } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { CallFacts } from '../../src/core/calls/call-facts.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { callColumns, countCalls, streamCalls } from '../../src/store/calls/read/select-calls.ts'
import { deletionFacts, RecordEncoder, renameFacts } from '../../src/store/calls/write/record-encoder.ts'
import type { WriteContext } from '../../src/store/calls/write/write-context.ts'
import type { CallStore } from '../../src/store/calls/write/writer.ts'
import type { Database } from '../../src/store/database/database.ts'

/**
 * Random scenarios of records of calls, sent to two nodes, and a model of what readers must see: the last acknowledged start
 * and the last acknowledged end, each call once.
 */

/** Two nodes and the database that they write to. */
export interface Nodes {
  readonly db: Database
  readonly writers: readonly [CallStore, CallStore]
  /** A project without calls. */
  newProject(): string
  /** What ClickHouse does with an insert of this node that nobody waits for any longer. */
  insertLate(node: 0 | 1, facts: readonly CallFacts[]): Promise<void>
  /** What the sweepers of a node do. */
  sweep(): Promise<void>
}

const BASE = 1_790_000_000_000_000n
const SECOND = 1_000_000n

type Kind = 'start' | 'end' | 'complete' | 'update' | 'delete'

interface Record {
  readonly call: number
  readonly kind: Kind
  /** Distinguishes the contents of a kind. The records with number 3 have no times. */
  readonly n: number
}

interface Batch {
  readonly node: 0 | 1
  readonly records: readonly Record[]
}

export interface Scenario {
  readonly idStyle: 'plain' | 'time'
  /** Rounds in the order they are sent. Each batch goes to one node; the batches of a round are concurrent. */
  readonly rounds: readonly (readonly Batch[])[]
  /**
   * Received before a round, not acknowledged, and executed after all others: the insert by ClickHouse, or the request by a
   * node that was paused.
   */
  readonly late:
    | { readonly beforeRound: number; readonly batch: Batch; readonly by: 'ClickHouse' | 'node' }
    | undefined
}

const KINDS: readonly Kind[] = [
  ...Array<Kind>(6).fill('start'),
  ...Array<Kind>(5).fill('end'),
  ...Array<Kind>(3).fill('complete'),
  'update',
  'update',
  'delete',
]

const record = (calls: number, kinds: readonly Kind[], max: number): fc.Arbitrary<Record> =>
  fc.record({ call: fc.nat({ max: calls - 1 }), kind: fc.constantFrom(...kinds), n: fc.nat({ max }) })

const batch = (calls: number, kinds: readonly Kind[], maxNumber: number): fc.Arbitrary<Batch> =>
  fc.record({
    node: fc.constantFrom(0, 1),
    records: fc.oneof(
      { weight: 3, arbitrary: fc.array(record(calls, kinds, maxNumber), { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(record(calls, kinds, maxNumber), { minLength: 1, maxLength: 12 }) },
    ),
  })

/** An insert has one row of each call. */
const lateBatch = (calls: number): fc.Arbitrary<Batch> =>
  batch(calls, ['start', 'complete'], 2).map(({ node, records }) => ({
    node,
    records: [...new Map(records.map((r) => [r.call, r])).values()],
  }))

export const scenario: fc.Arbitrary<Scenario> = fc
  .oneof(
    { weight: 5, arbitrary: fc.constant(1) },
    { weight: 4, arbitrary: fc.integer({ min: 2, max: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 5, max: 50 }) },
  )
  .chain((calls) =>
    fc.record({
      idStyle: fc.constantFrom('plain', 'time'),
      rounds: fc.array(
        fc.oneof(
          { weight: 2, arbitrary: fc.array(batch(calls, KINDS, 3), { minLength: 1, maxLength: 1 }) },
          { weight: 1, arbitrary: fc.array(batch(calls, KINDS, 3), { minLength: 2, maxLength: 3 }) },
        ),
        { minLength: 1, maxLength: 5 },
      ),
      late: fc.option(
        fc.record({
          beforeRound: fc.nat({ max: 3 }),
          batch: lateBatch(calls),
          by: fc.constantFrom('ClickHouse', 'node'),
        }),
        {
          nil: undefined,
          freq: 3,
        },
      ),
    }),
  )

function callId(style: Scenario['idStyle'], call: number): string {
  return style === 'plain' ? `call ${call}` : `0190aaaa-0000-7000-8000-${call.toString().padStart(12, '0')}`
}

/** The complete record 0 has the same start and end as the start and end records 0. */
const startContent = (r: Record): string =>
  r.kind === 'complete' && r.n > 0 ? `complete ${r.n}` : `start ${r.n}`
const endContent = (r: Record): string =>
  r.kind === 'complete' && r.n > 0 ? `complete ${r.n}` : `end ${r.n}`
/** Equal times, an earlier and a later one; undefined: the server generates the time. */
const startedAt = (r: Record): bigint | undefined =>
  r.n === 3
    ? undefined
    : BASE + BigInt(r.call) * SECOND + [0n, 0n, -7n][r.n]! + (r.kind === 'complete' ? BigInt(r.n) : 0n)
const endedAt = (r: Record): bigint | undefined =>
  r.n === 3 ? undefined : BASE + 100n * SECOND + [0n, -9n, 9n][r.n]!
const nameAtStart = (r: Record): string => (r.n === 1 ? '' : `given by ${startContent(r)}`)
const newName = (r: Record): string => (r.n === 0 ? '' : `name ${r.n}`)

/** The time that the server generates for records received in a round. */
const generatedAt = (round: number): bigint => BASE + BigInt(round + 200) * SECOND

function encodeFacts(
  project_id: string,
  style: Scenario['idStyle'],
  r: Record,
  round: number,
  { clock, columns }: WriteContext,
): CallFacts {
  const now = generatedAt(round)
  const encoder = new RecordEncoder({ sent_by: 'u', now, newId: () => 'never', clock, columns })
  const id = callId(style, r.call)
  const time = (micros: bigint | undefined): string | undefined =>
    micros === undefined ? undefined : formatTime(micros)
  const start = {
    project_id,
    id,
    op_name: 'op',
    trace_id: 't',
    display_name: nameAtStart(r),
    started_at: time(startedAt(r)),
    inputs: RawJson.fromText(`{"by":"${startContent(r)}"}`),
  }
  const end = { ended_at: time(endedAt(r)), output: RawJson.fromText(`"${endContent(r)}"`) }
  switch (r.kind) {
    case 'start':
      return encoder.start(start).facts
    case 'end':
      return encoder.end({ project_id, id, ...end })
    case 'complete':
      return encoder.complete({ ...start, ...end })
    case 'update':
      return renameFacts(project_id, id, newName(r), clock)
    case 'delete':
      return deletionFacts(project_id, id, clock)
  }
}

/** What a start or end may be: its content and time. */
interface Possible {
  readonly content: string
  readonly at: string
}

/** What readers may see of a call. The sets have one element unless records were concurrent. */
interface State {
  starts: readonly Possible[]
  ends: readonly Possible[]
  /** Given at the start. */
  names: readonly string[]
  /** The last rename, which wins over the name given at the start. */
  renames: readonly string[]
  isDeleted: boolean
}

const NOTHING: State = { starts: [], ends: [], names: [], renames: [], isDeleted: false }

/** What a batch changes: implemented from the rule, not from the code. Of each kind only its last record counts. */
function after(state: State, records: readonly Record[], style: Scenario['idStyle'], round: number): State {
  const last = (...kinds: Kind[]): number => records.findLastIndex((r) => kinds.includes(r.kind))
  const started = last('start', 'complete')
  const ended = last('end', 'complete')
  const renamed = last('update')
  const next = { ...state, isDeleted: state.isDeleted || last('delete') >= 0 }
  if (started >= 0) {
    const r = records[started]!
    const start = possibleStart(r, style, round)
    const same = state.starts.filter((known) => known.content === start.content)
    next.starts = replace(state.starts, start)
    if (same.length === 0) next.names = [nameAtStart(r)]
    else if (same.length < state.starts.length) next.names = [...state.names, nameAtStart(r)]
  }
  if (ended >= 0) {
    next.ends = replace(state.ends, possibleEnd(records[ended]!, round))
  }
  if (renamed >= 0) next.renames = [newName(records[renamed]!)]
  return next
}

function possibleStart(r: Record, style: Scenario['idStyle'], round: number): Possible {
  const idTime = style === 'time' ? BigInt(0x0190aaaa0000) * 1000n : undefined
  return { content: startContent(r), at: formatTime(startedAt(r) ?? idTime ?? generatedAt(round)) }
}

function possibleEnd(r: Record, round: number): Possible {
  return { content: endContent(r), at: formatTime(endedAt(r) ?? generatedAt(round)) }
}

/** The new record, unless it repeats the only possible one. */
function replace(known: readonly Possible[], next: Possible): readonly Possible[] {
  const same = known.filter((one) => one.content === next.content)
  return same.length === known.length && same.length > 0 ? known : [...same, next]
}

/** The batches of a round are concurrent: any of the states before, between and after may remain of each fact. */
function afterRound(
  before: State,
  round: readonly (readonly Record[])[],
  style: Scenario['idStyle'],
  n: number,
): State {
  const [first] = round
  if (first !== undefined && round.length === 1) return after(before, first, style, n)
  const orders = permutations(round)
  const results = orders.map((order) => order.reduce((state, each) => after(state, each, style, n), before))
  const starts = results.flatMap((state) => state.starts)
  const ends = results.flatMap((state) => state.ends)
  return {
    starts: withOldTimes(starts, before.starts),
    ends: withOldTimes(ends, before.ends),
    names: [...before.names, ...results.flatMap((state) => state.names)],
    renames: results.flatMap((state) => state.renames),
    isDeleted: results.some((state) => state.isDeleted),
  }
}

/** A record that repeats the one before the round may be taken before or after the others: it may keep the old time. */
function withOldTimes(possible: readonly Possible[], before: readonly Possible[]): Possible[] {
  const repeated = before.filter((old) => possible.some((one) => one.content === old.content))
  return [...new Map([...possible, ...repeated].map((one) => [`${one.content} ${one.at}`, one])).values()]
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))
}

function expectedState({ rounds, idStyle }: Scenario, call: number): State {
  const own = (records: readonly Record[]): Record[] => records.filter((r) => r.call === call)
  return rounds.reduce((state, round, n) => {
    const batches = round.map((each) => own(each.records)).filter((records) => records.length > 0)
    return afterRound(state, batches, idStyle, n)
  }, NOTHING)
}

/** A late record may only appear where nothing of its kind was acknowledged after it. */
function withLate(state: State, { rounds, late, idStyle }: Scenario, call: number): State {
  if (late === undefined) return state
  const own = late.batch.records.filter((r) => r.call === call)
  if (own.length === 0) return state
  const acknowledged = rounds.flatMap((round, n) =>
    round.flatMap(({ records }) =>
      records.filter((r) => r.call === call && n >= late.beforeRound).map((r) => ({ r, n })),
    ),
  )
  const laterStarts = acknowledged.filter(({ r }) => r.kind === 'start' || r.kind === 'complete')
  const laterEnds = acknowledged.filter(({ r }) => r.kind === 'end' || r.kind === 'complete')
  const possible = after(state, own, idStyle, late.beforeRound)
  // A repeated record counts as received again if the late one came between: it may have its own time and name.
  const isRepeated = (known: readonly Possible[]) => (each: Possible) =>
    known.some(({ content }) => content === each.content)
  const repeatedStarts = laterStarts.map(({ r, n }) => possibleStart(r, idStyle, n))
  const repeatedEnds = laterEnds.map(({ r, n }) => possibleEnd(r, n))
  return {
    starts: [
      ...state.starts,
      ...(laterStarts.length > 0 ? repeatedStarts.filter(isRepeated(state.starts)) : possible.starts),
    ],
    ends: [
      ...state.ends,
      ...(laterEnds.length > 0 ? repeatedEnds.filter(isRepeated(state.ends)) : possible.ends),
    ],
    names: [
      ...state.names,
      ...(laterStarts.length > 0
        ? laterStarts.map(({ r }) => nameAtStart(r))
        : [...possible.names, ...own.map(nameAtStart)]),
    ],
    renames: state.renames,
    isDeleted: state.isDeleted,
  }
}

/** Readers see a call if it has a start. With a late record it may or may not be there. */
function expectCalls(seen: Map<string, CallSeen>, scenario: Scenario, label: string): void {
  const records = [...scenario.rounds.flat(), ...(scenario.late ? [scenario.late.batch] : [])].flatMap(
    (each) => each.records,
  )
  for (const call of new Set(records.map((r) => r.call))) {
    const state = expectedState(scenario, call)
    const { starts, ends, names, renames, isDeleted } = withLate(state, scenario, call)
    const found = seen.get(callId(scenario.idStyle, call))
    if (isDeleted || starts.length === 0) {
      expect(found, `${label} call ${call} is not visible`).toBeUndefined()
      continue
    }
    if (found === undefined) {
      expect(state.starts, `${label} call ${call} is visible`).toEqual([])
      continue
    }
    const start = { content: found.by, at: found.started_at }
    expect(starts, `${label} start of call ${call}`).toContainEqual(start)
    expect(renames.length > 0 ? renames : names, `${label} name of call ${call}`).toContain(
      found.display_name,
    )
    if (found.ended_at === null) expect(state.ends, `${label} end of call ${call}`).toEqual([])
    else
      expect(ends, `${label} end of call ${call}`).toContainEqual({
        content: found.output,
        at: found.ended_at,
      })
    if (isCompleteOnly(records, call, scenario))
      expect(found.output, `${label} start and end of one record`).toBe(found.by)
  }
}

/** Whether start and end must come from the same record: all records of the call are complete, with different starts. */
function isCompleteOnly(records: readonly Record[], call: number, { late }: Scenario): boolean {
  const own = records.filter((r) => r.call === call && r.kind !== 'update')
  return (
    late === undefined &&
    own.length > 0 &&
    own.every((r) => r.kind === 'complete' && (r.n === 1 || r.n === 2))
  )
}

interface CallSeen {
  readonly by: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly output: string | null
  readonly display_name: string
}

async function readCalls(db: Database, project_id: string, label: string): Promise<Map<string, CallSeen>> {
  const seen = new Map<string, CallSeen>()
  for await (const row of streamCalls(db, {
    project_id,
    conditions: [],
    order: [],
    columns: callColumns(null),
    page: { limit: undefined, offset: undefined },
  })) {
    expect(seen.has(row.id), `${label} ${row.id} is listed twice`).toBe(false)
    const { started_at, ended_at = null, display_name = '', inputs = '', output = '' } = row
    const { by } = JSON.parse(inputs) as { by: string }
    const value = output === '' ? null : (JSON.parse(output) as string)
    seen.set(row.id, { by, started_at, ended_at, output: value, display_name })
  }
  expect(await countCalls(db, project_id, [], undefined)).toBe(seen.size)
  return seen
}

/** Sends a scenario and returns the check of what readers see, which is made once late inserts are repaired. */
async function send(nodes: Nodes, each: Scenario): Promise<() => Promise<void>> {
  const { db, writers } = nodes
  const project_id = nodes.newProject()
  const { rounds, idStyle, late } = each
  const encode = ({ node, records }: Batch, round: number): CallFacts[] =>
    records.map((r) => encodeFacts(project_id, idStyle, r, round, writers[node]))
  let lateFacts: readonly CallFacts[] = []
  for (const [n, round] of rounds.entries()) {
    if (late?.beforeRound === n) {
      lateFacts = encode(late.batch, n)
      // Longer than the uncertainty of clocks: a shorter delay is none.
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    await Promise.all(round.map((one) => writers[one.node].write(encode(one, n))))
  }
  if (late?.by === 'ClickHouse') await nodes.insertLate(late.batch.node, lateFacts)
  else if (late !== undefined) await writers[late.batch.node === 0 ? 1 : 0].write(lateFacts)
  return async () => {
    const sent = lateFacts.length > 0 ? each : { ...each, late: undefined }
    const label = JSON.stringify({ project_id, ...sent })
    expectCalls(await readCalls(db, project_id, label), sent, label)
  }
}

async function runGroup(nodes: Nodes, scenarios: readonly Scenario[]): Promise<void> {
  const { db } = nodes
  const done = new AbortController()
  const merging = (async () => {
    while (!done.signal.aborted) {
      await db.ddl('OPTIMIZE TABLE calls FINAL').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const checks = await Promise.all(scenarios.map((each) => send(nodes, each)))
  done.abort()
  await merging
  await db.ddl('OPTIMIZE TABLE calls FINAL').catch(() => {})
  if (scenarios.some((each) => each.late !== undefined)) await nodes.sweep()
  for (const check of checks) await check()
  // Each merge rewrites the whole table, so it stays small.
  for (const table of ['calls', 'call_parts', 'call_ids', 'live_log']) await db.ddl(`TRUNCATE TABLE ${table}`)
}

/** Prints only the failing scenario: a group of fifty would fill several screens. */
async function report(details: fc.RunDetails<[Scenario[]]>): Promise<void> {
  // The reports of CI have the first lines of the message, not the cause.
  if (details.failed)
    throw new Error(`seed ${details.seed}: ${String(details.errorInstance)}`, {
      cause: details.errorInstance,
    })
}

/** Runs groups of fifty concurrent scenarios. */
export async function checkScenarios(
  nodes: Nodes,
  groups: number,
  scenarios: fc.Arbitrary<Scenario>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(scenarios, { minLength: 50, maxLength: 50 }), (group) =>
      runGroup(nodes, group),
    ),
    { numRuns: groups, endOnFailure: true, asyncReporter: report },
  )
}
