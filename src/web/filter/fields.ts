/** Fields of calls: the short names that people write, and the paths that the query language knows. */
export interface KnownField {
  readonly name: string
  readonly path: string
  readonly about: string
  readonly type: 'text' | 'duration' | 'time'
  /** All that it can be. */
  readonly values?: readonly string[]
}

export const KNOWN_FIELDS: readonly KnownField[] = [
  {
    name: 'status',
    path: 'summary.weave.status',
    about: 'how it ended',
    type: 'text',
    values: ['success', 'error', 'descendant_error', 'running'],
  },
  {
    name: 'latency',
    path: 'summary.weave.latency_ms',
    about: 'from start to end: 350ms, 2s, 1m',
    type: 'duration',
  },
  { name: 'name', path: 'summary.weave.trace_name', about: 'as the list shows it', type: 'text' },
  { name: 'error', path: 'exception', about: 'text of the exception', type: 'text' },
  { name: 'user', path: 'wb_user_id', about: 'who sent it', type: 'text' },
  { name: 'op', path: 'op_name', about: 'name or ref of the op', type: 'text' },
  { name: 'started', path: 'started_at', about: 'when it began', type: 'time' },
  { name: 'ended', path: 'ended_at', about: 'when it ended', type: 'time' },
  { name: 'thread', path: 'thread_id', about: 'id of the conversation', type: 'text' },
  { name: 'trace', path: 'trace_id', about: 'id of the trace', type: 'text' },
  { name: 'parent', path: 'parent_id', about: 'id of the calling call', type: 'text' },
  { name: 'note', path: 'feedback.[wandb.note.1].payload.note', about: 'what people noted', type: 'text' },
  {
    name: 'reaction',
    path: 'feedback.[wandb.reaction.1].payload.emoji',
    about: 'an emoji that was left',
    type: 'text',
    values: ['👍', '👎'],
  },
]

const byName = new Map(KNOWN_FIELDS.map((field) => [field.name, field]))
const byPath = new Map(KNOWN_FIELDS.map((field) => [field.path, field]))

export function pathOf(name: string): string {
  return byName.get(name)?.path ?? name
}

export function nameOf(path: string): string {
  return byPath.get(path)?.name ?? path
}

export function findField(name: string): KnownField | undefined {
  return byName.get(name) ?? byPath.get(name)
}

const DOCUMENT = /^(?:inputs|output|attributes|summary)(?:\.|$)/

/** Whether it lies in a document of the call, where whether there is a value is asked in a way of its own. */
export function isInDocument(path: string): boolean {
  return DOCUMENT.test(path) && !byPath.has(path)
}
