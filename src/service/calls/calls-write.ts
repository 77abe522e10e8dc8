import type { CallEnd, CallStart } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import { listTraceMembers } from '../../store/calls/read.ts'
import { deletionFacts, RecordEncoder, renameFacts } from '../../store/calls/record-encoder.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type WriteOperation =
  | 'call_start'
  | 'call_end'
  | 'call_upsert_batch'
  | 'calls_complete'
  | 'call_start_v2'
  | 'call_end_v2'
  | 'call_update'
  | 'calls_delete'

const MAX_DELETES = 1000

/** Handlers that write calls. Each one responds after ClickHouse has acknowledged the insert. */
export function callWriteHandlers(deps: Deps): Pick<Handlers, WriteOperation> {
  const newEncoder = (caller: Caller, capacityBytes?: number): RecordEncoder =>
    new RecordEncoder({ wb_user_id: caller.user_id, now: deps.now(), newId: deps.newId }, capacityBytes)

  const storeStart = async ({ start }: { start: CallStart }, caller: Caller) => {
    const { facts, trace_id } = newEncoder(caller).start(start)
    await deps.callWriter.write([facts])
    return { id: facts.id, trace_id }
  }

  const storeEnd = async ({ end }: { end: CallEnd }, caller: Caller) => {
    await deps.callWriter.write([newEncoder(caller).end(end)])
    return {}
  }

  return {
    call_start: storeStart,
    call_end: storeEnd,
    call_start_v2: storeStart,
    call_end_v2: storeEnd,

    call_upsert_batch: async ({ batch }, caller) => {
      const encoder = newEncoder(caller, BATCH_BUFFER_BYTES)
      const calls = []
      const res = []
      for (const item of batch) {
        if (item.mode === 'start') {
          const { facts, trace_id } = encoder.start(item.req.start)
          calls.push(facts)
          res.push({ id: facts.id, trace_id })
        } else {
          calls.push(encoder.end(item.req.end))
          res.push({})
        }
      }
      await deps.callWriter.write(calls)
      return { res }
    },

    calls_complete: async ({ batch }, caller) => {
      const encoder = newEncoder(caller, BATCH_BUFFER_BYTES)
      await deps.callWriter.write(batch.map((record) => encoder.complete(record)))
      return {}
    },

    call_update: async ({ project_id, call_id, display_name }) => {
      if (display_name === undefined || display_name === null) {
        throw new ApiError(
          'invalid_request',
          'set display_name; it is the only field that an update can change',
        )
      }
      await deps.callWriter.write([renameFacts(project_id, call_id, display_name, deps.now())])
      return {}
    },

    calls_delete: async ({ project_id, call_ids }) => {
      if (call_ids.length > MAX_DELETES) {
        throw new ApiError(
          'too_large',
          `at most ${MAX_DELETES} calls can be deleted per request; split the list`,
        )
      }
      if (call_ids.length === 0) return { num_deleted: 0 }
      const traceCalls = await listTraceMembers(deps.db, project_id, call_ids)
      const found = withDescendants(call_ids, traceCalls)
      const at = deps.now()
      // Ids that were not found are deleted too: a call that is deleted before its start arrives must not appear
      // later.
      const ids = new Set([...found, ...call_ids])
      await deps.callWriter.write([...ids].map((id) => deletionFacts(project_id, id, at)))
      return { num_deleted: found.size }
    },
  }
}

/** Initial buffer size. It fits a batch of 100 calls of 3.4 KB; larger batches grow the buffer. */
const BATCH_BUFFER_BYTES = 512 * 1024

/** Returns the named calls that exist in `traceCalls`, with all their descendants. */
function withDescendants(
  call_ids: readonly string[],
  traceCalls: readonly { readonly id: string; readonly parent_id: string }[],
): Set<string> {
  const children = new Map<string, string[]>()
  for (const { id, parent_id } of traceCalls) {
    const siblings = children.get(parent_id)
    if (siblings === undefined) children.set(parent_id, [id])
    else siblings.push(id)
  }
  const existing = new Set(traceCalls.map((call) => call.id))
  const found = new Set<string>()
  const open = call_ids.filter((id) => existing.has(id))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(children.get(id) ?? []))
  }
  return found
}
