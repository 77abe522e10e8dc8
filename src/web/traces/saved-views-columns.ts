import { type Column, isPath, readColumns } from './columns.ts'

/** A column as a saved view of Weave names it. */
interface ViewColumn {
  readonly path: readonly string[]
  readonly label: string
}

/** Where our columns are found in a call. Two of them read the same: their labels tell them apart. */
const PATHS: Readonly<Record<string, string>> = {
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

/** What others call the same. The list marks the status beside the name. */
const OTHER_PATHS: Readonly<Record<string, string>> = {
  op_name: 'name',
  display_name: 'name',
  func_name: 'name',
  'summary.weave.status': 'name',
}

/** Undefined for the usual ones: what they are is for each reader to say. */
export function toViewColumns(text: string | undefined): ViewColumn[] | undefined {
  if (text === undefined) return undefined
  return readColumns(text).map(({ name, label }) => ({ path: (PATHS[name] ?? name).split('.'), label }))
}

/** The columns as the address has them, and the paths that this list has no column for. */
export function fromViewColumns(columns: readonly unknown[]): {
  readonly columns: string | undefined
  readonly unknown: readonly string[]
} {
  const names = new Set<string>()
  const unknown: string[] = []
  for (const column of columns) {
    const { path, label } = (column ?? {}) as { readonly path?: unknown; readonly label?: unknown }
    if (!Array.isArray(path) || path.length === 0) continue
    const spelled = path.map(String).join('.')
    const name = nameOf(spelled, label)
    if (name === undefined) unknown.push(spelled)
    else names.add(name)
  }
  return { columns: names.size === 0 ? undefined : [...names].join(','), unknown }
}

function nameOf(path: string, label: unknown): string | undefined {
  const ours = Object.keys(PATHS).filter((name) => PATHS[name] === path)
  const [first] = ours
  if (first !== undefined) return ours.find((name) => labelOf(name) === label) ?? first
  return OTHER_PATHS[path] ?? (isPath(path) ? path : undefined)
}

function labelOf(name: string): string | undefined {
  const [column]: readonly Column[] = readColumns(name)
  return column?.label
}
