import { TAGS_PATH } from './tags.ts'

/** A column of the call table: a built-in field, or a path into a JSON document of the call. */
export interface Column {
  /** The name in the URL. */
  readonly name: string
  readonly label: string
  /** CSS grid track size. */
  readonly width: string
  readonly isNumber?: boolean
  /** The query field to sort by. Absent if the column is not sortable. */
  readonly sortField?: string
  /** Set for values that are read from a JSON document, or from a field of the server (call-fields.ts). */
  readonly path?: string
}

function fieldColumn(name: string, label: string, width: string): Column {
  return { name, label, width, path: name, sortField: name }
}

export const COLUMNS: readonly Column[] = [
  { name: 'name', label: 'Name', width: 'minmax(150px, 1fr)', sortField: 'name' },
  { name: 'input', label: 'Input', width: 'minmax(200px, 3fr)' },
  { name: 'output', label: 'Output', width: 'minmax(200px, 3fr)' },
  { name: 'started', label: 'Started', width: '124px', isNumber: true, sortField: 'started_at' },
  {
    name: 'latency',
    label: 'Latency',
    width: '84px',
    isNumber: true,
    sortField: 'summary.weave.latency_ms',
  },
  { name: 'tokens', label: 'Tokens', width: '80px', isNumber: true, sortField: 'total_tokens' },
  { name: 'cost', label: 'Cost', width: '92px', isNumber: true, sortField: 'cost' },
  { name: 'feedback', label: 'Feedback', width: '84px' },
  { name: 'user', label: 'Weave user', width: '106px', sortField: 'user' },
  fieldColumn('sent_by', 'Sent by', '120px'),
  { name: 'tags', label: 'Tags', width: 'minmax(116px, 0.5fr)', path: TAGS_PATH, sortField: 'tags' },
  { name: 'model', label: 'Model', width: '140px', sortField: 'model' },
  fieldColumn('provider', 'Provider', '110px'),
  { name: 'input_tokens', label: 'Input tokens', width: '116px', isNumber: true, sortField: 'input_tokens' },
  {
    name: 'output_tokens',
    label: 'Output tokens',
    width: '124px',
    isNumber: true,
    sortField: 'output_tokens',
  },
  { ...fieldColumn('time_to_first_token', 'First token', '106px'), isNumber: true },
  fieldColumn('end_user', 'End user', '120px'),
  fieldColumn('session', 'Session', '130px'),
  fieldColumn('environment', 'Environment', '116px'),
  { name: 'thread', label: 'Thread', width: '130px', sortField: 'thread' },
  { name: 'error', label: 'Error', width: 'minmax(140px, 1fr)', sortField: 'error' },
  fieldColumn('error_type', 'Error type', '130px'),
  { name: 'id', label: 'ID', width: '130px', sortField: 'id' },
]

const DEFAULT_COLUMNS = ['name', 'input', 'output', 'started', 'latency', 'tokens', 'cost', 'feedback']

/** Columns that are shown by default in projects that have values for them. */
export const OPTIONAL_DEFAULTS = ['end_user', 'tags'] as const

export type OptionalDefault = (typeof OPTIONAL_DEFAULTS)[number]

function defaultColumns(used: readonly OptionalDefault[]): readonly string[] {
  return [...DEFAULT_COLUMNS, ...OPTIONAL_DEFAULTS.filter((name) => used.includes(name))]
}

const columnsByName = new Map(COLUMNS.map((column) => [column.name, column]))

export function readColumns(
  text: string | undefined,
  used: readonly OptionalDefault[] = [],
): readonly Column[] {
  const names = text === undefined ? defaultColumns(used) : text.split(',').filter((name) => name !== '')
  return names.map((name) => columnsByName.get(name) ?? pathColumn(name))
}

export function printColumns(
  columns: readonly Column[],
  used: readonly OptionalDefault[] = [],
): string | undefined {
  const names = columns.map(({ name }) => name)
  return names.join() === defaultColumns(used).join() ? undefined : names.join(',')
}

const PATH = /^(?:inputs|output|attributes|summary)(?:\.|$)|^scores\../

export function isPath(text: string): boolean {
  return PATH.test(text) && !text.includes(',')
}

export function pathColumn(path: string): Column {
  return { name: path, label: path, width: 'minmax(120px, 1fr)', path, sortField: path }
}
