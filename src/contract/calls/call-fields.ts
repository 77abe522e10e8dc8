/**
 * The fields of calls that have a name of their own, in one table: queries, sort orders, groups of metrics, the SQL view
 * `calls`, the filter box and the columns of the web UI use these names. src/store/calls/columns/named-fields.ts has their SQL.
 * Without schemas, so that the web UI can load it.
 */
export interface NamedField {
  readonly name: string
  /** Durations are milliseconds. A list has several values per call: a condition holds if it holds for any of them. */
  readonly type: 'text' | 'number' | 'duration' | 'time' | 'list'
  readonly about: string
  /** Its name in Weave's API, which works too. */
  readonly path?: string
  /** Common values, for completion. */
  readonly values?: readonly string[]
  /** Whether `values` are all values that there are. */
  readonly isClosed?: true
  /** Other spellings of values. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Whether calls can be grouped by it. Measures and times cannot: they have too many values. */
  readonly canGroup: boolean
  /** Why the SQL view `calls` lacks it. */
  readonly notInSql?: 'feedback' | 'prices'
}

export const NAMED_FIELDS = [
  {
    name: 'status',
    path: 'summary.weave.status',
    about: 'success, error, running; succeeded and failed work too',
    type: 'text',
    values: ['success', 'error', 'descendant_error', 'running'],
    isClosed: true,
    aliases: { succeeded: 'success', failed: 'error' },
    canGroup: true,
  },
  {
    name: 'latency',
    path: 'summary.weave.latency_ms',
    about: 'duration: 350ms, 2s, 1m',
    type: 'duration',
    canGroup: false,
  },
  {
    name: 'name',
    path: 'summary.weave.trace_name',
    about: 'name shown in the list',
    type: 'text',
    canGroup: true,
  },
  { name: 'op', about: 'op name, without project and version', type: 'text', canGroup: true },
  { name: 'error', path: 'exception', about: 'exception text', type: 'text', canGroup: true },
  { name: 'error_type', about: 'type of the exception, such as TimeoutError', type: 'text', canGroup: true },
  { name: 'model', about: 'model that the call used', type: 'list', canGroup: true },
  { name: 'provider', about: 'provider of the model, such as openai', type: 'text', canGroup: true },
  {
    name: 'cost',
    about: 'US dollars, at the current prices',
    type: 'number',
    canGroup: false,
    notInSql: 'prices',
  },
  { name: 'input_tokens', about: 'input tokens of all models', type: 'number', canGroup: false },
  { name: 'output_tokens', about: 'output tokens of all models', type: 'number', canGroup: false },
  { name: 'total_tokens', about: 'input and output tokens', type: 'number', canGroup: false },
  {
    name: 'time_to_first_token',
    about: 'until the first token arrived: 350ms, 2s',
    type: 'duration',
    canGroup: false,
  },
  { name: 'tags', about: 'tags that the app sent or people added', type: 'list', canGroup: true },
  { name: 'user', path: 'wb_user_id', about: 'user of the call, as sent', type: 'text', canGroup: true },
  {
    name: 'sent_by',
    about: 'user whose credentials sent the call',
    type: 'text',
    canGroup: true,
  },
  { name: 'end_user', about: 'user of your application', type: 'text', canGroup: true },
  { name: 'session', about: 'thread, or session of your application', type: 'text', canGroup: true },
  { name: 'environment', about: 'environment, such as production', type: 'text', canGroup: true },
  { name: 'started', path: 'started_at', about: 'start time', type: 'time', canGroup: false },
  { name: 'ended', path: 'ended_at', about: 'end time', type: 'time', canGroup: false },
  { name: 'thread', path: 'thread_id', about: 'thread ID', type: 'text', canGroup: true },
  { name: 'trace', path: 'trace_id', about: 'trace ID', type: 'text', canGroup: true },
  { name: 'parent', path: 'parent_id', about: 'parent call ID', type: 'text', canGroup: true },
  {
    name: 'note',
    path: 'feedback.[wandb.note.1].payload.note',
    about: 'text of a note',
    type: 'list',
    canGroup: true,
    notInSql: 'feedback',
  },
  {
    name: 'reaction',
    path: 'feedback.[wandb.reaction.1].payload.emoji',
    about: 'emoji reaction',
    type: 'list',
    values: ['👍', '👎'],
    canGroup: true,
    notInSql: 'feedback',
  },
] as const satisfies readonly NamedField[]

export type FieldName = (typeof NAMED_FIELDS)[number]['name']

/** Feedback type of the tags that people give calls: `{"tag": "billing"}`. They are in the field `tags`. */
export const TAG_FEEDBACK = 'heddle.tag.1'

/** `scores.<name>`: the newest score of that name, given by a person or a scorer; a path leads into its value. */
export const SCORE_FIELDS = 'scores'

/** Columns of calls without another name. */
export const CALL_COLUMN_NAMES = [
  'project_id',
  'id',
  'started_at',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'input_refs',
  'ended_at',
  'exception',
  'output_refs',
  'wb_run_step_end',
  'display_name',
  'deleted_at',
  'expire_at',
  'annotation_queue_items.queue_id',
] as const
