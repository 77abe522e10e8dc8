import type { LiveRequest } from '../../contract/live/live.ts'
import { parseRef } from '../../core/objects/ref.ts'
import type { EventFilter } from './live-subscriber.ts'

/** Undefined if the request selects all events. */
export function eventFilter({ kinds, trace_id, op_name }: LiveRequest): EventFilter | undefined {
  if (!kinds && typeof trace_id !== 'string' && typeof op_name !== 'string') return undefined
  const wantedKinds: ReadonlySet<string> | undefined = kinds ? new Set(kinds) : undefined
  return (event) => {
    if (wantedKinds !== undefined && !wantedKinds.has(event.kind)) return false
    if (!('op_name' in event)) return true
    if (typeof trace_id === 'string' && event.trace_id !== trace_id) return false
    return typeof op_name !== 'string' || event.op_name === op_name || opShortName(event.op_name) === op_name
  }
}

function opShortName(op_name: string): string | undefined {
  const ref = parseRef(op_name)
  return ref?.kind === 'op' ? ref.name : undefined
}
