import type { CallEnd, CallStart } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { CallFacts } from '../../core/calls/call-facts.ts'
import { listTraceMembers } from '../../store/calls/read/select-calls.ts'
import { deletionFacts, renameFacts } from '../../store/calls/write/record-encoder.ts'
import { writeEncoded } from '../../store/calls/write/write-encoded.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { newEncoder } from './new-encoder.ts'
import { MAX_DELETED_CALLS } from '../../contract/limits.ts'

type WriteOperation =
  | 'call_start'
  | 'call_end'
  | 'call_upsert_batch'
  | 'calls_complete'
  | 'call_start_v2'
  | 'call_end_v2'
  | 'call_update'
  | 'calls_delete'

/** Handlers that write calls. Each one responds after ClickHouse has acknowledged the insert. */
export function callWriteHandlers(deps: Deps): Pick<Handlers, WriteOperation> {
  const encoderFor = (caller: Caller) => newEncoder(deps, caller.user_id)

  // Those that store records are not `async`, so that the parsed records are freed while their rows are stored.
  const storeStart = ({ start }: { start: CallStart }, caller: Caller) => {
    const encoder = encoderFor(caller)
    const { facts, trace_id } = encoder.start(start)
    const { id } = facts
    return writeEncoded(deps, encoder, [facts]).then(() => ({ id, trace_id }))
  }

  const storeEnd = ({ end }: { end: CallEnd }, caller: Caller) => {
    const encoder = encoderFor(caller)
    return writeEncoded(deps, encoder, [encoder.end(end)]).then(() => ({}))
  }

  return {
    call_start: storeStart,
    call_end: storeEnd,
    call_start_v2: storeStart,
    call_end_v2: storeEnd,

    call_upsert_batch: ({ batch }, caller) => {
      const encoder = encoderFor(caller)
      const calls: CallFacts[] = []
      const newCalls: CallFacts[] = []
      const res: ({ id: string; trace_id: string } | Record<string, never>)[] = []
      for (const item of batch) {
        if (item.mode === 'start') {
          const { facts, trace_id } = encoder.start(item.req.start)
          if (facts.id === item.req.start.id) calls.push(facts)
          else newCalls.push(facts)
          res.push({ id: facts.id, trace_id })
        } else {
          calls.push(encoder.end(item.req.end))
          res.push({})
        }
      }
      // If the first fails with `LargeWork`, the request is executed again, and creates other ids.
      return writeEncoded(deps, encoder, calls, newCalls).then(() => ({ res }))
    },

    calls_complete: ({ batch }, caller) => {
      const encoder = encoderFor(caller)
      const calls = batch.map((record) => encoder.complete(record))
      return writeEncoded(deps, encoder, calls).then(() => ({}))
    },

    call_update: async ({ project_id, call_id, display_name }) => {
      await deps.callWriter.write([renameFacts(project_id, call_id, display_name, deps.callWriter.clock)])
      return {}
    },

    calls_delete: async ({ project_id, call_ids }) => {
      if (call_ids.length > MAX_DELETED_CALLS) {
        throw new ApiError(
          'too_large',
          `at most ${MAX_DELETED_CALLS} calls can be deleted per request; split the list`,
        )
      }
      if (call_ids.length === 0) return { num_deleted: 0 }
      const traceCalls = await listTraceMembers(deps.db, project_id, call_ids)
      const found = withDescendants(call_ids, traceCalls)
      // Ids that were not found are deleted too: a call that is deleted before its start arrives must not appear
      // later.
      const ids = new Set([...found, ...call_ids])
      const { callWriter } = deps
      await callWriter.write([...ids].map((id) => deletionFacts(project_id, id, callWriter.clock)))
      return { num_deleted: found.size }
    },
  }
}

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
