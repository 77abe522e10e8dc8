import type { CallEnd, CallStart } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import { listKin } from '../../store/calls/read.ts'
import { deleted, RecordEncoder, renamed } from '../../store/calls/record-encoder.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type Writes =
  | 'call_start'
  | 'call_end'
  | 'call_upsert_batch'
  | 'calls_complete'
  | 'call_start_v2'
  | 'call_end_v2'
  | 'call_update'
  | 'calls_delete'

const MAX_DELETES = 1000

/** Storing calls. Each answer is given when the engine has acknowledged what it answers for. */
export function callWriteHandlers(deps: Deps): Pick<Handlers, Writes> {
  const reader = (caller: Caller, capacityBytes?: number): RecordEncoder =>
    new RecordEncoder({ wb_user_id: caller.user_id, now: deps.now(), newId: deps.newId }, capacityBytes)

  const storeStart = async ({ start }: { start: CallStart }, caller: Caller) => {
    const { facts, trace_id } = reader(caller).start(start)
    await deps.callWriter.write([facts])
    return { id: facts.id, trace_id }
  }

  const storeEnd = async ({ end }: { end: CallEnd }, caller: Caller) => {
    await deps.callWriter.write([reader(caller).end(end)])
    return {}
  }

  return {
    call_start: storeStart,
    call_end: storeEnd,
    call_start_v2: storeStart,
    call_end_v2: storeEnd,

    call_upsert_batch: async ({ batch }, caller) => {
      const records = reader(caller, BATCH_BUFFER_BYTES)
      const calls = []
      const res = []
      for (const item of batch) {
        if (item.mode === 'start') {
          const { facts, trace_id } = records.start(item.req.start)
          calls.push(facts)
          res.push({ id: facts.id, trace_id })
        } else {
          calls.push(records.end(item.req.end))
          res.push({})
        }
      }
      await deps.callWriter.write(calls)
      return { res }
    },

    calls_complete: async ({ batch }, caller) => {
      const records = reader(caller, BATCH_BUFFER_BYTES)
      await deps.callWriter.write(batch.map((record) => records.complete(record)))
      return {}
    },

    call_update: async ({ project_id, call_id, display_name }) => {
      if (display_name === undefined || display_name === null) {
        throw new ApiError(
          'invalid_request',
          'display_name is needed: it is the only thing an update can change',
        )
      }
      await deps.callWriter.write([renamed(project_id, call_id, display_name, deps.now())])
      return {}
    },

    calls_delete: async ({ project_id, call_ids }) => {
      if (call_ids.length > MAX_DELETES) {
        throw new ApiError('too_large', `at most ${MAX_DELETES} calls can be deleted at once`)
      }
      if (call_ids.length === 0) return { num_deleted: 0 }
      const kin = await listKin(deps.db, project_id, call_ids)
      const found = withDescendants(call_ids, kin)
      const at = deps.now()
      // Also those not found: a call that was deleted before its start arrived must not appear when it does.
      const ids = new Set([...found, ...call_ids])
      await deps.callWriter.write([...ids].map((id) => deleted(project_id, id, at)))
      return { num_deleted: found.size }
    },
  }
}

/** A batch of 100 calls of 3.4 KB fits; larger ones grow. */
const BATCH_BUFFER_BYTES = 512 * 1024

/** The calls of `kin` that are named, and all below them. */
function withDescendants(
  call_ids: readonly string[],
  kin: readonly { readonly id: string; readonly parent_id: string }[],
): Set<string> {
  const children = new Map<string, string[]>()
  for (const { id, parent_id } of kin) {
    const siblings = children.get(parent_id)
    if (siblings === undefined) children.set(parent_id, [id])
    else siblings.push(id)
  }
  const existing = new Set(kin.map((call) => call.id))
  const found = new Set<string>()
  const open = call_ids.filter((id) => existing.has(id))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(children.get(id) ?? []))
  }
  return found
}
