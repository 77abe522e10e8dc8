import { TAGS_PATH } from './tags.ts'

/** The columns of the list: those that every call has, and any path into its documents. */
export interface Column {
  /** As the address spells it. */
  readonly name: string
  readonly label: string
  /** Of a CSS grid. */
  readonly width: string
  readonly isNumber?: boolean
  /** What the list can be put in order by. */
  readonly sortField?: string
  /** Set for what is read out of a document. */
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
  { name: 'id', label: 'Id', width: '130px' },
]

const USUAL = ['name', 'input', 'output', 'started', 'latency', 'tokens', 'cost', 'feedback', 'user']

/** Tags are among them where there are any. */
function usual(hasTags: boolean): readonly string[] {
  return hasTags ? [...USUAL, 'tags'] : USUAL
}

const byName = new Map(COLUMNS.map((column) => [column.name, column]))

export function readColumns(text: string | undefined, hasTags = false): readonly Column[] {
  const names = text === undefined ? usual(hasTags) : text.split(',').filter((name) => name !== '')
  return names.map((name) => byName.get(name) ?? pathColumn(name))
}

export function printColumns(columns: readonly Column[], hasTags = false): string | undefined {
  const names = columns.map(({ name }) => name)
  return names.join() === usual(hasTags).join() ? undefined : names.join(',')
}

const ROOTS = /^(?:inputs|output|attributes|summary)(?:\.|$)/

export function isPath(text: string): boolean {
  return ROOTS.test(text) && !text.includes(',')
}

export function pathColumn(path: string): Column {
  return { name: path, label: path, width: 'minmax(120px, 1fr)', path, sortField: path }
}
