/** The columns that lists and trees request: everything but the payloads. */
export const CALL_LIST_COLUMNS = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
  'summary',
  'wb_user_id',
]
