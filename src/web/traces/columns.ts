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
  /** Set for values that are read from a JSON document. */
  readonly path?: string
}

export const COLUMNS: readonly Column[] = [
  { name: 'name', label: 'Name', width: 'minmax(150px, 1.1fr)' },
  { name: 'input', label: 'Input', width: 'minmax(140px, 2fr)' },
  { name: 'output', label: 'Output', width: 'minmax(140px, 2fr)' },
  { name: 'started', label: 'Started', width: '136px', isNumber: true, sortField: 'started_at' },
  {
    name: 'latency',
    label: 'Latency',
    width: '84px',
    isNumber: true,
    sortField: 'summary.weave.latency_ms',
  },
  { name: 'tokens', label: 'Tokens', width: '72px', isNumber: true },
  { name: 'cost', label: 'Cost', width: '92px', isNumber: true },
  { name: 'feedback', label: 'Feedback', width: '84px' },
  { name: 'user', label: 'User', width: '92px' },
  { name: 'tags', label: 'Tags', width: 'minmax(150px, 0.6fr)', path: TAGS_PATH },
  { name: 'model', label: 'Model', width: '140px' },
  { name: 'thread', label: 'Thread', width: '130px' },
  { name: 'error', label: 'Error', width: 'minmax(140px, 1fr)' },
  { name: 'id', label: 'ID', width: '130px' },
]

const DEFAULT_COLUMNS = [
  'name',
  'input',
  'output',
  'started',
  'latency',
  'tokens',
  'cost',
  'feedback',
  'user',
]

/** Includes tags if the project uses them. */
function defaultColumns(hasTags: boolean): readonly string[] {
  return hasTags ? [...DEFAULT_COLUMNS, 'tags'] : DEFAULT_COLUMNS
}

const columnsByName = new Map(COLUMNS.map((column) => [column.name, column]))

export function readColumns(text: string | undefined, hasTags = false): readonly Column[] {
  const names = text === undefined ? defaultColumns(hasTags) : text.split(',').filter((name) => name !== '')
  return names.map((name) => columnsByName.get(name) ?? pathColumn(name))
}

export function printColumns(columns: readonly Column[], hasTags = false): string | undefined {
  const names = columns.map(({ name }) => name)
  return names.join() === defaultColumns(hasTags).join() ? undefined : names.join(',')
}

const DOCUMENT_PATH = /^(?:inputs|output|attributes|summary)(?:\.|$)/

export function isPath(text: string): boolean {
  return DOCUMENT_PATH.test(text) && !text.includes(',')
}

export function pathColumn(path: string): Column {
  return { name: path, label: path, width: 'minmax(120px, 1fr)', path, sortField: path }
}
