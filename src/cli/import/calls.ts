import type { Call } from '../../contract/calls/calls.ts'
import type { InputOf } from '../../contract/operations.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { withRetries } from '../../client/retry.ts'
import { References } from './references.ts'
import type { ObjectsCopy } from './objects.ts'
import { isRejection } from './report.ts'
import { originalSummary } from '../../core/calls/original-summary.ts'
import { splitBatches, type Transfer } from './transfer.ts'

const PAGE = 1_000
const BATCH_BYTES = 8 * 1024 * 1024

export type NewCall = InputOf<'calls_complete'>['batch'][number]

/** Copies calls from another server. */

/** Read position: calls from this start time on, skipping this many with exactly this start time. */
interface Cursor {
  readonly started_at: string | undefined
  readonly skip: number
  readonly copied: number
}

/** Copies the oldest calls first, so an interrupted run can continue from a single position. */
export async function copyCalls(transfer: Transfer, objects: ObjectsCopy): Promise<void> {
  const { journal, progress } = transfer
  let cursor = readCursor(journal.get('cursor', 'calls'))
  let reading = readPage(transfer, cursor)
  for (;;) {
    const calls = await reading
    const next = advance(cursor, calls)
    const isLast = calls.length < PAGE
    // Read the next page while this one is being written.
    if (!isLast) {
      reading = readPage(transfer, next)
      // The error is handled when it is awaited; until then it must not be an unhandled rejection.
      reading.catch(() => undefined)
    }
    await storeCalls(transfer, objects, calls)
    cursor = next
    journal.add('cursor', 'calls', JSON.stringify(cursor))
    progress.update('calls', cursor.copied)
    if (isLast) break
  }
  await copyEnds(transfer, objects)
}

function readCursor(text: string | undefined): Cursor {
  return text === undefined ? { started_at: undefined, skip: 0, copied: 0 } : (JSON.parse(text) as Cursor)
}

function advance(cursor: Cursor, calls: readonly Call[]): Cursor {
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
    ...(started_at === undefined ? {} : { query: RawJson.fromValue(since) }),
    sort_by: ['started_at', 'id'].map((field) => ({ field, direction: 'asc' as const })),
    limit: PAGE,
    offset: skip,
  })
}

async function readAll(transfer: Transfer, request: InputOf<'calls_query_stream'>): Promise<Call[]> {
  return withRetries(transfer.retry, async () => {
    const calls: Call[] = []
    for await (const call of await transfer.from.call('calls_query_stream', request)) calls.push(call)
    return calls
  })
}

/** Copies the ends of calls that were running when they were copied and have ended since. */
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
  const references = new References(project_id)
  for (const call of calls) references.add(call.inputs, call.output, call.attributes, call.summary)
  await objects.copyReferenced(references)
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

/** The target of calls and feedback, and the report of the import. */
export type ImportTarget = Pick<Transfer, 'to' | 'to_project_id' | 'report'>

/** Idempotent: calls keep their ids, so sending them again changes nothing. */
export async function sendCalls(target: ImportTarget, calls: readonly NewCall[]): Promise<void> {
  for (const batch of splitBatches(calls, PAGE, BATCH_BYTES, callBytes)) {
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

/** Payloads keep their bytes except for rewritten refs; fields that the server computes are omitted. */
function newCall({ refs, to_project_id }: Transfer, call: Call): NewCall & { id: string } {
  return {
    project_id: to_project_id,
    id: call.id,
    op_name: refs.rewriteText(call.op_name),
    display_name: call.display_name ?? null,
    trace_id: call.trace_id,
    parent_id: call.parent_id ?? null,
    thread_id: call.thread_id ?? null,
    turn_id: call.turn_id ?? null,
    started_at: call.started_at,
    attributes: refs.rewriteJson(call.attributes),
    inputs: refs.rewriteJson(call.inputs),
    ended_at: call.ended_at ?? null,
    exception: call.exception ?? null,
    output: call.output === null || call.output === undefined ? null : refs.rewriteJson(call.output),
    summary:
      call.summary === null || call.summary === undefined
        ? null
        : refs.rewriteJson(originalSummary(call.summary)),
    wb_user_id: call.wb_user_id ?? null,
    wb_run_id: call.wb_run_id ?? null,
    wb_run_step: call.wb_run_step ?? null,
    wb_run_step_end: call.wb_run_step_end ?? null,
  }
}

function callBytes(call: NewCall): number {
  const payloads = [call.inputs, call.output, call.attributes, call.summary]
  return payloads.reduce((sum, payload) => sum + (payload?.bytes.length ?? 0), 500)
}

async function storeEnded(transfer: ImportTarget, batch: readonly NewCall[]): Promise<void> {
  if (batch.length === 0) return
  const [entity = '', project = ''] = transfer.to_project_id.split('/')
  await store(transfer, batch, (some) =>
    transfer.to.call('calls_complete', { entity, project, batch: [...some] }),
  )
}

async function storeRunning(transfer: ImportTarget, batch: readonly NewCall[]): Promise<void> {
  if (batch.length === 0) return
  await store(transfer, batch, (some) =>
    transfer.to.call('call_upsert_batch', {
      batch: some.map((start) => ({ mode: 'start' as const, req: { start } })),
    }),
  )
}

/** Splits a rejected batch in halves until only the rejected calls are left out. */
async function store(
  transfer: ImportTarget,
  batch: readonly NewCall[],
  send: (some: readonly NewCall[]) => Promise<unknown>,
): Promise<void> {
  try {
    await send(batch)
    transfer.report.copied.calls += batch.length
  } catch (error) {
    if (!isRejection(error)) throw error
    if (batch.length === 1) {
      transfer.report.addProblem(`call ${batch[0]?.id}`, error)
      return
    }
    const middle = batch.length >> 1
    await store(transfer, batch.slice(0, middle), send)
    await store(transfer, batch.slice(middle), send)
  }
}
