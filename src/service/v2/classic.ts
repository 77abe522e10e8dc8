import type { Handlers } from '../handler.ts'

/**
 * The operations that the typed routes are made of. A typed route has no storage of its own: what it writes is read
 * by these, and what they write is read by it.
 */
export type Classic = Pick<
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
  | 'calls_query_stream'
  | 'feedback_create'
>
