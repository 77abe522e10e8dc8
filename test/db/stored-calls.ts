import type { SearchField } from '../../src/contract/calls/search.ts'
import type { Node } from '../../src/core/query/node.ts'
import { parseNode } from '../../src/core/query/node.ts'
import { unescapeJson } from '../../src/core/calls/search-preview.ts'
import type { Micros } from '../../src/core/time/time.ts'
import { Random } from '../chaos/random.ts'
import type { TestServer } from '../harness.ts'
import type { Row } from '../query-interpreter.ts'
import { type RandomCall, recordsOf, type SentRecord } from './random-calls.ts'

/** Random calls sent to a server in every order that may happen, and what readers must see of them. */

export interface SeenCall {
  readonly id: string
  readonly started_at: Micros
  readonly row: Row
  /** What search looks through. */
  readonly texts: readonly (readonly [SearchField, string])[]
}

const MOST_IN_BATCH = 150

/** Each record as often as its call says, shuffled and in batches; then what comes late, and some of it again. */
export async function storeCalls(
  server: TestServer,
  project_id: string,
  calls: readonly RandomCall[],
  seed: number,
): Promise<void> {
  const random = new Random(seed)
  const records = calls.map((call) => recordsOf(project_id, call))
  const early: SentRecord[] = []
  const late: SentRecord[] = []
  for (const [i, { copies, isLate }] of calls.entries()) {
    // Of some calls an end comes only after renames and deletions.
    const held = random.chance(0.1)
      ? records[i]!.find((record) => record.text.includes('"mode":"end"'))
      : undefined
    for (const record of records[i]!) {
      const isHeld = isLate || record === held
      for (let n = 0; n < copies; n++) (isHeld || random.chance(0.1) ? late : early).push(record)
      // One of them in time, or its descendants would not be known when it is deleted.
      if (!isHeld) early.push(record)
    }
  }
  await sendRecords(server, project_id, shuffled(early, random), random)
  await Promise.all(calls.map(async (call) => tellAbout(server, project_id, call)))
  const call_ids = calls.filter((call) => call.isDeleted).map((call) => call.id)
  await server.post('/calls/delete', { project_id, call_ids })
  await sendRecords(server, project_id, shuffled(late, random), random)
}

async function tellAbout(server: TestServer, project_id: string, call: RandomCall): Promise<void> {
  for (const display_name of call.names) {
    await server.post('/call/update', { project_id, call_id: call.id, display_name })
  }
  for (const note of call.notes) {
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/${call.id}`,
      feedback_type: 'wandb.note.1',
      payload: { note },
    })
  }
}

async function sendRecords(
  server: TestServer,
  project_id: string,
  records: readonly SentRecord[],
  random: Random,
): Promise<void> {
  const batches: SentRecord[][] = []
  for (let i = 0; i < records.length;) {
    const size = random.between(1, MOST_IN_BATCH)
    batches.push(records.slice(i, i + size))
    i += size
  }
  for (let i = 0; i < batches.length; i += 2) {
    await Promise.all(batches.slice(i, i + 2).map(async (batch) => sendBatch(server, project_id, batch)))
  }
}

async function sendBatch(
  server: TestServer,
  project_id: string,
  batch: readonly SentRecord[],
): Promise<void> {
  const paths = { upsert: '/call/upsert_batch', complete: `/v2/${project_id}/calls/complete` }
  for (const to of ['upsert', 'complete'] as const) {
    const texts = batch.filter((record) => record.to === to).map((record) => record.text)
    if (texts.length > 0) await server.post(paths[to], Buffer.from(`{"batch":[${texts.join(',')}]}`))
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = items.map((item) => ({ item, at: random.next() }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

/** The calls that are there, as the rules of the protocol have it and not as the store does it. */
export function seenCalls(project_id: string, calls: readonly RandomCall[]): SeenCall[] {
  const gone = new Set(calls.filter((call) => call.isDeleted).map((call) => call.id))
  // Parents stand before their children.
  for (const call of calls) if (gone.has(call.parent_id)) gone.add(call.id)
  return calls
    .filter((call) => !gone.has(call.id))
    .map((call) => ({
      id: call.id,
      started_at: call.started_at,
      row: rowOf(project_id, call),
      texts: textsOf(call),
    }))
}

function rowOf(project_id: string, call: RandomCall): Row {
  const end = endOf(call)
  const output = end?.output ?? ''
  return new Map([
    ['id', { text: call.id }],
    ['project_id', { text: project_id }],
    ['trace_id', { text: call.trace_id }],
    ['parent_id', { text: orNull(call.parent_id) }],
    ['thread_id', { text: orNull(call.thread_id) }],
    ['turn_id', { text: orNull(call.turn_id) }],
    ['op_name', { text: call.op_name }],
    ['display_name', { text: orNull(nameOf(call)) }],
    ['started_at', { time: call.started_at }],
    ['ended_at', { time: end?.ended_at ?? null }],
    ['exception', { text: end?.exception ?? null }],
    ['wb_run_id', { text: orNull(call.wb_run_id) }],
    ['wb_run_step', { int: bigOrNull(call.wb_run_step) }],
    ['wb_run_step_end', { int: bigOrNull(end?.wb_run_step_end) }],
    ['input_refs', { list: refsIn(call.inputs) }],
    ['output_refs', { list: output === '' ? [] : refsIn(output) }],
    ['inputs', { json: call.inputs }],
    ['attributes', { json: call.attributes }],
    ['output', { json: output }],
    ['summary', { json: end?.summary ?? '' }],
    ['feedback', { each: [...call.notes].reverse().map((note) => JSON.stringify({ note })) }],
    ['summary.weave.status', { text: statusOf(call) }],
    [
      'summary.weave.latency_ms',
      { int: end === undefined ? null : (end.ended_at - call.started_at) / 1000n },
    ],
    ['summary.weave.trace_name', { text: nameOf(call) === '' ? shortName(call.op_name) : nameOf(call) }],
  ])
}

function textsOf(call: RandomCall): [SearchField, string][] {
  const end = endOf(call)
  return [
    ['name', shortName(call.op_name)],
    ['display_name', nameOf(call)],
    ['exception', end?.exception ?? ''],
    ['inputs', unescapeJson(call.inputs)],
    ['output', unescapeJson(end?.output ?? '')],
    ...call.notes.map((note): [SearchField, string] => ['note', note]),
  ]
}

function endOf(call: RandomCall): RandomCall['ends'][number] | undefined {
  return [...call.ends].sort((a, b) => Number(b.ended_at - a.ended_at))[0]
}

function nameOf(call: RandomCall): string {
  return call.names.at(-1) ?? call.display_name
}

function shortName(op_name: string): string {
  return /^weave:\/\/\/[^/]+\/[^/]+\/op\/([^/]+):[^/:]+$/.exec(op_name)?.[1] ?? op_name
}

function statusOf(call: RandomCall): string {
  const end = endOf(call)
  if (end === undefined) return 'running'
  if (end.exception !== null) return 'error'
  const summary = parseNode(Buffer.from(end.summary))
  const counts = summary.kind === 'object' ? summary.members.get('status_counts') : undefined
  const errors = counts?.kind === 'object' ? counts.members.get('error') : undefined
  return errors !== undefined && isPositive(errors) ? 'descendant_error' : 'success'
}

/** Written as a number, or as the text of one. */
function isPositive(node: Node): boolean {
  const word = node.kind === 'number' ? node.lexeme : node.kind === 'string' ? node.value : ''
  return (
    /^\+?inf(inity)?$/i.test(word) || (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) && Number(word) > 0)
  )
}

function refsIn(json: string): string[] {
  const refs = new Set<string>()
  const visit = (node: Node): void => {
    if (node.kind === 'string' && node.value.startsWith('weave:///')) refs.add(node.value)
    if (node.kind === 'array') for (const item of node.items) visit(item)
    if (node.kind === 'object') for (const member of node.members.values()) visit(member)
  }
  visit(parseNode(Buffer.from(json)))
  return [...refs]
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

function bigOrNull(n: number | null | undefined): bigint | null {
  return n === null || n === undefined ? null : BigInt(n)
}
