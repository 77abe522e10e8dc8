import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/**
 * The v1 operations that the v2 routes are built on. A v2 route has no storage of its own: what it writes, v1
 * operations read, and vice versa.
 */
export type V1Handlers = Pick<
  Handlers,
  | 'obj_create'
  | 'obj_read'
  | 'objs_query'
  | 'obj_delete'
  | 'table_create'
  | 'file_create'
  | 'file_content'
  | 'call_read'
  | 'call_start'
  | 'call_end'
  | 'calls_complete'
  | 'calls_delete'
  | 'feedback_create'
> & {
  readonly readCalls: (query: CallsQuery, caller: Caller) => Promise<AsyncIterable<Call>>
}
