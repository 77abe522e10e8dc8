import type { Call } from '../../contract/calls/calls.ts'
import type { InputOf } from '../../contract/operations.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { patiently } from '../../client/retrying-fetch.ts'
import { Mentions } from './mentions.ts'
import type { ObjectsCopy } from './objects.ts'
import { isRefusal } from './report.ts'
import { ownSummary } from '../../core/calls/own-summary.ts'
import { inBatches, type Transfer } from './transfer.ts'

const PAGE = 1_000
const BATCH_BYTES = 8 * 1024 * 1024

export type NewCall = InputOf<'calls_complete'>['batch'][number]

/** Where reading goes on: from this time, after as many calls of exactly this time. */
interface Cursor {
  readonly started_at: string | undefined
  readonly skip: number
  readonly copied: number
}

/** Oldest first, so that a run that goes on needs to know no more than where it was. */
export async function copyCalls(transfer: Transfer, objects: ObjectsCopy): Promise<void> {
  const { journal, progress } = transfer
  let cursor = readCursor(journal.get('cursor', 'calls'))
  let reading = readPage(transfer, cursor)
  for (;;) {
    const calls = await reading
    const next = after(cursor, calls)
    const isLast = calls.length < PAGE
    // The next page is read while this one is written.
    if (!isLast) {
      reading = readPage(transfer, next)
      // Heard when it is awaited; until then it must not end the process.
      reading.catch(() => undefined)
    }
    await storeCalls(transfer, objects, calls)
    cursor = next
    journal.add('cursor', 'calls', JSON.stringify(cursor))
    progress.at('calls', cursor.copied)
    if (isLast) break
  }
  await copyEnds(transfer, objects)
}

function readCursor(text: string | undefined): Cursor {
  return text === undefined ? { started_at: undefined, skip: 0, copied: 0 } : (JSON.parse(text) as Cursor)
}

function after(cursor: Cursor, calls: readonly Call[]): Cursor {
  const last = calls.at(-1)
  if (last === undefined) return cursor
  const copied = cursor.copied + calls.length
  const ofLastTime = calls.filter((call) => call.started_at === last.started_at).length
  const before = last.started_at === cursor.started_at ? cursor.skip : 0
  return { started_at: last.started_at, skip: before + ofLastTime, copied }
}

async function readPage(transfer: Transfer, { started_at, skip }: Cursor): Promise<Call[]> {
  const since = { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: started_at }] } }
  return readAll(transfer, {
    project_id: transfer.project_id,
    ...(started_at === undefined ? {} : { query: RawJson.of(since) }),
    sort_by: ['started_at', 'id'].map((field) => ({ field, direction: 'asc' as const })),
    limit: PAGE,
    offset: skip,
  })
}

async function readAll(transfer: Transfer, request: InputOf<'calls_query_stream'>): Promise<Call[]> {
  return patiently(transfer.patience, async () => {
    const calls: Call[] = []
    for await (const call of await transfer.from.call('calls_query_stream', request)) calls.push(call)
    return calls
  })
}

/** Calls that were running when they were copied, and have ended since. */
async function copyEnds(transfer: Transfer, objects: ObjectsCopy): Promise<void> {
  const running = transfer.journal.entries('running').flatMap(([id, state]) => (state === '' ? [id] : []))
  for (let i = 0; i < running.length; i += PAGE) {
    const call_ids = running.slice(i, i + PAGE)
    const calls = await readAll(transfer, { project_id: transfer.project_id, filter: { call_ids } })
    await storeCalls(
      transfer,
      objects,
      calls.filter((call) => isEnded(call)),
    )
  }
}

function isEnded(call: Call): boolean {
  return (call.ended_at ?? null) !== null
}

async function storeCalls(transfer: Transfer, objects: ObjectsCopy, calls: readonly Call[]): Promise<void> {
  const { project_id, journal } = transfer
  const mentions = new Mentions(project_id)
  for (const call of calls) mentions.add(call.inputs, call.output, call.attributes, call.summary)
  await objects.copyMentioned(mentions)
  await sendCalls(
    transfer,
    calls.map((call) => newCall(transfer, call)),
  )
  const known = calls.filter((call) => journal.has('running', call.id) || !isEnded(call))
  journal.addAll(
    'running',
    known.map((call) => [call.id, isEnded(call) ? 'ended' : '']),
  )
}

/** Where calls and feedback go, and who is told what became of them. */
export type Target = Pick<Transfer, 'to' | 'to_project_id' | 'report'>

/** Under their ids: sent again they change nothing. */
export async function sendCalls(target: Target, calls: readonly NewCall[]): Promise<void> {
  for (const batch of inBatches(calls, PAGE, BATCH_BYTES, sizeOf)) {
    await storeEnded(
      target,
      batch.filter((call) => call.ended_at !== null),
    )
    await storeRunning(
      target,
      batch.filter((call) => call.ended_at === null),
    )
  }
}

/** The bytes of payloads as they are; only refs may change, and what the server works out is left to it. */
function newCall({ refs, to_project_id }: Transfer, call: Call): NewCall & { id: string } {
  return {
    project_id: to_project_id,
    id: call.id,
    op_name: refs.text(call.op_name),
    display_name: call.display_name ?? null,
    trace_id: call.trace_id,
    parent_id: call.parent_id ?? null,
    thread_id: call.thread_id ?? null,
    turn_id: call.turn_id ?? null,
    started_at: call.started_at,
    attributes: refs.json(call.attributes),
    inputs: refs.json(call.inputs),
    ended_at: call.ended_at ?? null,
    exception: call.exception ?? null,
    output: call.output === null || call.output === undefined ? null : refs.json(call.output),
    summary: call.summary === null || call.summary === undefined ? null : refs.json(ownSummary(call.summary)),
    wb_run_id: call.wb_run_id ?? null,
    wb_run_step: call.wb_run_step ?? null,
    wb_run_step_end: call.wb_run_step_end ?? null,
  }
}

function sizeOf(call: NewCall): number {
  const payloads = [call.inputs, call.output, call.attributes, call.summary]
  return payloads.reduce((sum, payload) => sum + (payload?.bytes.length ?? 0), 500)
}

async function storeEnded(transfer: Target, batch: readonly NewCall[]): Promise<void> {
  if (batch.length === 0) return
  const [entity = '', project = ''] = transfer.to_project_id.split('/')
  await store(transfer, batch, (some) =>
    transfer.to.call('calls_complete', { entity, project, batch: [...some] }),
  )
}

async function storeRunning(transfer: Target, batch: readonly NewCall[]): Promise<void> {
  if (batch.length === 0) return
  await store(transfer, batch, (some) =>
    transfer.to.call('call_upsert_batch', {
      batch: some.map((start) => ({ mode: 'start' as const, req: { start } })),
    }),
  )
}

/** In halves until only what is refused is left out. */
async function store(
  transfer: Target,
  batch: readonly NewCall[],
  send: (some: readonly NewCall[]) => Promise<unknown>,
): Promise<void> {
  try {
    await send(batch)
    transfer.report.copied.calls += batch.length
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (batch.length === 1) {
      transfer.report.problem(`call ${batch[0]?.id}`, error)
      return
    }
    const middle = batch.length >> 1
    await store(transfer, batch.slice(0, middle), send)
    await store(transfer, batch.slice(middle), send)
  }
}
