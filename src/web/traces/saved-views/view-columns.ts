import { type Column, COLUMNS, isPath, readColumns } from '../columns.ts'

/** A column in Weave's saved view format. */
interface ViewColumn {
  readonly path: readonly string[]
  readonly label: string
}

/** Call paths of the list columns. Two columns share a path and differ by their label. */
const COLUMN_PATHS: Readonly<Record<string, string>> = {
  name: 'summary.weave.trace_name',
  input: 'inputs',
  output: 'output',
  started: 'started_at',
  latency: 'summary.weave.latency_ms',
  tokens: 'summary.usage',
  model: 'summary.usage',
  cost: 'summary.weave.costs',
  feedback: 'summary.weave.feedback',
  user: 'wb_user_id',
  tags: 'attributes.tags',
  thread: 'thread_id',
  error: 'exception',
  id: 'id',
}

/** Other paths that map to a list column. The name column includes the status icon. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  op_name: 'name',
  display_name: 'name',
  func_name: 'name',
  'summary.weave.status': 'name',
}

/** Converts to Weave's format; `undefined` for the default columns, which each reader chooses itself. */
export function toViewColumns(text: string | undefined): ViewColumn[] | undefined {
  if (text === undefined) return undefined
  return readColumns(text).map(({ name, label }) => ({
    path: (COLUMN_PATHS[name] ?? name).split('.'),
    label,
  }))
}

/** Converts to the URL parameter, and returns the paths that have no column in this list. */
export function fromViewColumns(columns: readonly unknown[]): {
  readonly columns: string | undefined
  readonly unknown: readonly string[]
} {
  const names = new Set<string>()
  const unknown: string[] = []
  for (const column of columns) {
    const { path, label } = (column ?? {}) as { readonly path?: unknown; readonly label?: unknown }
    if (!Array.isArray(path) || path.length === 0) continue
    const dottedPath = path.map(String).join('.')
    const name = columnName(dottedPath, label)
    if (name === undefined) unknown.push(dottedPath)
    else names.add(name)
  }
  return { columns: names.size === 0 ? undefined : [...names].join(','), unknown }
}

function columnName(path: string, label: unknown): string | undefined {
  const candidates = Object.keys(COLUMN_PATHS).filter((name) => COLUMN_PATHS[name] === path)
  const [first] = candidates
  if (first !== undefined) return candidates.find((name) => columnLabel(name) === label) ?? first
  const isColumn = isPath(path) || COLUMNS.some(({ name }) => name === path)
  return COLUMN_ALIASES[path] ?? (isColumn ? path : undefined)
}

function columnLabel(name: string): string | undefined {
  const [column]: readonly Column[] = readColumns(name)
  return column?.label
}
