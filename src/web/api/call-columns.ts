/** What lists and trees ask of each call: everything but its payloads. */
export const FACT_COLUMNS = [
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
