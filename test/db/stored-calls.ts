import type { SearchField } from '../../src/contract/calls/search.ts'
import type { Node } from '../../src/core/query/node.ts'
import { parseNode } from '../../src/core/query/node.ts'
import { unescapeJson } from '../../src/core/calls/search-preview.ts'
import type { Micros } from '../../src/core/time/time.ts'
import { Random } from '../chaos/random.ts'
import type { TestServer } from '../harness.ts'
import type { Row } from '../query-interpreter.ts'
import { documentFields } from './random-fields.ts'
import { type RandomCall, callRecords, type SentRecord } from './random-calls.ts'

/** Sends random calls to a server in a random order, and computes what readers must see. */

export interface VisibleCall {
  readonly id: string
  readonly started_at: Micros
  readonly row: Row
  /** The texts that search covers. */
  readonly texts: readonly (readonly [SearchField, string])[]
}

const MAX_BATCH_SIZE = 150

/**
 * Sends each record as often as its call requires, shuffled and in batches; then the late ones, and some again.
 * Returns the calls with the start and the end that must win.
 */
export async function storeCalls(
  server: TestServer,
  project_id: string,
  calls: readonly RandomCall[],
  seed: number,
): Promise<RandomCall[]> {
  const random = new Random(seed)
  const records = calls.map((call) => callRecords(project_id, call))
  const early: SentRecord[] = []
  const late: SentRecord[] = []
  for (const [i, { copies, isLate }] of calls.entries()) {
    // For some calls an end arrives only after renames and deletions.
    const delayed = random.chance(0.1)
      ? records[i]!.find((record) => record.text.includes('"mode":"end"'))
      : undefined
    for (const record of records[i]!) {
      const isDelayed = isLate || record === delayed
      for (let n = 0; n < copies; n++) (isDelayed || random.chance(0.1) ? late : early).push(record)
      // At least one copy arrives early: a deletion must know the parent of each call.
      if (!isDelayed) early.push(record)
    }
  }
  const sent = await sendRecords(server, project_id, shuffled(early, random), random)
  await Promise.all(calls.map(async (call) => sendUpdates(server, project_id, call)))
  const call_ids = calls.filter((call) => call.isDeleted).map((call) => call.id)
  await server.post('/calls/delete', { project_id, call_ids })
  sent.push(...(await sendRecords(server, project_id, shuffled(late, random), random)))
  return withWinners(calls, sent)
}

/** Of different records of a call the last one wins. */
function withWinners(calls: readonly RandomCall[], sent: readonly SentRecord[]): RandomCall[] {
  const winners = new Map(calls.map((call) => [call.id, { ...call }]))
  for (const { id, inputs, end } of sent) {
    const call = winners.get(id)!
    winners.set(id, { ...call, inputs: inputs ?? call.inputs, ends: end === undefined ? call.ends : [end] })
  }
  return [...winners.values()]
}

async function sendUpdates(server: TestServer, project_id: string, call: RandomCall): Promise<void> {
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
): Promise<SentRecord[]> {
  const sent: SentRecord[] = []
  for (let i = 0; i < records.length;) {
    const size = random.between(1, MAX_BATCH_SIZE)
    sent.push(...(await sendBatch(server, project_id, records.slice(i, i + size))))
    i += size
  }
  return sent
}

async function sendBatch(
  server: TestServer,
  project_id: string,
  batch: readonly SentRecord[],
): Promise<SentRecord[]> {
  const paths = { upsert: '/call/upsert_batch', complete: `/v2/${project_id}/calls/complete` }
  const sent: SentRecord[] = []
  for (const to of ['upsert', 'complete'] as const) {
    const records = batch.filter((record) => record.to === to)
    const texts = records.map((record) => record.text)
    if (texts.length > 0) await server.post(paths[to], Buffer.from(`{"batch":[${texts.join(',')}]}`))
    sent.push(...records)
  }
  return sent
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = items.map((item) => ({ item, at: random.next() }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

/** The visible calls, derived from the rules of the protocol, not from the store. */
export function visibleCalls(project_id: string, calls: readonly RandomCall[]): VisibleCall[] {
  const deleted = new Set(calls.filter((call) => call.isDeleted).map((call) => call.id))
  // Parents precede their children.
  for (const call of calls) if (deleted.has(call.parent_id)) deleted.add(call.id)
  return calls
    .filter((call) => !deleted.has(call.id))
    .map((call) => ({
      id: call.id,
      started_at: call.started_at,
      row: toRow(project_id, call),
      texts: searchTexts(call),
    }))
}

function toRow(project_id: string, call: RandomCall): Row {
  const [end] = call.ends
  const output = end?.output ?? ''
  return new Map([
    ['id', { text: call.id }],
    ['project_id', { text: project_id }],
    ['trace_id', { text: call.trace_id }],
    ['parent_id', { text: orNull(call.parent_id) }],
    ['thread_id', { text: orNull(call.thread_id) }],
    ['turn_id', { text: orNull(call.turn_id) }],
    ['op_name', { text: call.op_name }],
    ['display_name', { text: orNull(displayName(call)) }],
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
    ...documentFields({
      ...call,
      exception: end?.exception ?? null,
      summary: end?.summary ?? '',
    }),
    ['op', { text: shortName(call.op_name) }],
    ['status', { text: callStatus(call) }],
    ['thread', { text: orNull(call.thread_id) }],
    ['started', { time: call.started_at }],
    ['feedback', { each: [...call.notes].reverse().map((note) => JSON.stringify({ note })) }],
    ['summary.weave.status', { text: callStatus(call) }],
    [
      'summary.weave.latency_ms',
      { int: end === undefined ? null : (end.ended_at - call.started_at) / 1000n },
    ],
    [
      'summary.weave.trace_name',
      { text: displayName(call) === '' ? shortName(call.op_name) : displayName(call) },
    ],
  ])
}

function searchTexts(call: RandomCall): [SearchField, string][] {
  const [end] = call.ends
  return [
    ['name', shortName(call.op_name)],
    ['display_name', displayName(call)],
    ['exception', end?.exception ?? ''],
    ['inputs', unescapeJson(call.inputs)],
    ['output', unescapeJson(end?.output ?? '')],
    ...call.notes.map((note): [SearchField, string] => ['note', note]),
  ]
}

function displayName(call: RandomCall): string {
  return call.names.at(-1) ?? call.display_name
}

function shortName(op_name: string): string {
  return /^weave:\/\/\/[^/]+\/[^/]+\/op\/([^/]+):[^/:]+$/.exec(op_name)?.[1] ?? op_name
}

function callStatus(call: RandomCall): string {
  const [end] = call.ends
  if (end === undefined) return 'running'
  if (end.exception !== null) return 'error'
  const summary = parseNode(Buffer.from(end.summary))
  const counts = summary.kind === 'object' ? summary.members.get('status_counts') : undefined
  const errors = counts?.kind === 'object' ? counts.members.get('error') : undefined
  return errors !== undefined && isPositive(errors) ? 'descendant_error' : 'success'
}

/** A number, or the text of a number. */
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
