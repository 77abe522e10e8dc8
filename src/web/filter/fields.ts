/** A call field: its short name in filters and its path in the query language. */
export interface KnownField {
  readonly name: string
  readonly path: string
  readonly about: string
  readonly type: 'text' | 'duration' | 'time'
  /** All possible values. */
  readonly values?: readonly string[]
  /** Alternative spellings of values. */
  readonly aliases?: ReadonlyMap<string, string>
}

export const KNOWN_FIELDS: readonly KnownField[] = [
  {
    name: 'status',
    path: 'summary.weave.status',
    about: 'success, error, running; succeeded and failed work too',
    type: 'text',
    values: ['success', 'error', 'descendant_error', 'running'],
    aliases: new Map([
      ['succeeded', 'success'],
      ['failed', 'error'],
    ]),
  },
  {
    name: 'latency',
    path: 'summary.weave.latency_ms',
    about: 'duration: 350ms, 2s, 1m',
    type: 'duration',
  },
  { name: 'name', path: 'summary.weave.trace_name', about: 'name shown in the list', type: 'text' },
  { name: 'error', path: 'exception', about: 'exception text', type: 'text' },
  { name: 'user', path: 'wb_user_id', about: 'user who sent the call', type: 'text' },
  { name: 'op', path: 'op_name', about: 'op name or ref', type: 'text' },
  { name: 'started', path: 'started_at', about: 'start time', type: 'time' },
  { name: 'ended', path: 'ended_at', about: 'end time', type: 'time' },
  { name: 'thread', path: 'thread_id', about: 'thread ID', type: 'text' },
  { name: 'trace', path: 'trace_id', about: 'trace ID', type: 'text' },
  { name: 'parent', path: 'parent_id', about: 'parent call ID', type: 'text' },
  { name: 'note', path: 'feedback.[wandb.note.1].payload.note', about: 'text of a note', type: 'text' },
  {
    name: 'reaction',
    path: 'feedback.[wandb.reaction.1].payload.emoji',
    about: 'emoji reaction',
    type: 'text',
    values: ['👍', '👎'],
  },
]

const fieldsByName = new Map(KNOWN_FIELDS.map((field) => [field.name, field]))
const fieldsByPath = new Map(KNOWN_FIELDS.map((field) => [field.path, field]))

export function fieldPath(name: string): string {
  return fieldsByName.get(name)?.path ?? name
}

export function fieldName(path: string): string {
  return fieldsByPath.get(path)?.name ?? path
}

export function findField(name: string): KnownField | undefined {
  return fieldsByName.get(name) ?? fieldsByPath.get(name)
}

/** Resolves an alternative spelling of a value, such as `failed` for `error`. */
export function canonicalValue(field: string, text: string): string {
  return findField(field)?.aliases?.get(text) ?? text
}

const DOCUMENT_PATH = /^(?:inputs|output|attributes|summary)(?:\.|$)/

/** Whether the path is in a JSON document of the call, where `exists` needs its own query operator. */
export function isInDocument(path: string): boolean {
  return DOCUMENT_PATH.test(path) && !fieldsByPath.has(path)
}
