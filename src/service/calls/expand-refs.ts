import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type ObjectRef, parseRef } from '../../contract/objects/ref.ts'
import { entries, find, stringOf } from '../../core/json/navigate.ts'
import { objectOf } from '../../core/json/object.ts'
import type { Deps } from '../deps.ts'
import { resolveRefs } from '../objects/refs.ts'

/**
 * Puts what refs point at in their place, where `expand_columns` asks for it: `inputs.model` holds a ref, and
 * becomes the model with the ref beside it as `_ref`. Each hop is a column of its own (`output`, then `output.b`),
 * so columns are done from short to long. What cannot be resolved stays a ref.
 */
export async function expandRefs(
  deps: Pick<Deps, 'db'>,
  project_id: string,
  calls: readonly Call[],
  columns: readonly string[],
): Promise<readonly Call[]> {
  let expanded = calls
  for (const path of columns.map((column) => column.split('.')).toSorted((a, b) => a.length - b.length)) {
    expanded = await expandColumn(deps, project_id, expanded, path)
  }
  return expanded
}

const EXPANDABLE = new Set(['inputs', 'output', 'attributes', 'summary'])

async function expandColumn(
  deps: Pick<Deps, 'db'>,
  project_id: string,
  calls: readonly Call[],
  path: readonly string[],
): Promise<readonly Call[]> {
  const [column = '', ...rest] = path
  if (!EXPANDABLE.has(column)) return calls
  const name = column as 'inputs' | 'output' | 'attributes' | 'summary'
  const texts = calls.map((call) => refAt(call[name], rest))
  // Only the caller's own project: whether another may be read was not asked.
  const refs = new Map<string, ObjectRef>()
  for (const text of texts) {
    const ref = text === undefined ? undefined : parseRef(text)
    if (text !== undefined && ref !== undefined && 'name' in ref && ref.project_id === project_id)
      refs.set(text, ref)
  }
  const values = await resolveRefs(deps, [...refs.values()])
  const found = new Map([...refs.keys()].map((text, i) => [text, values[i]]))
  return calls.map((call, i) => {
    const text = texts[i]
    const value = text === undefined ? undefined : found.get(text)
    if (text === undefined || value === undefined) return call
    return { ...call, [name]: replaceAt(call[name], rest, withRef(value, text)) }
  })
}

function refAt(value: RawJson | null, path: readonly string[]): string | undefined {
  let at: RawJson | undefined = value ?? undefined
  for (const key of path) at = at === undefined ? undefined : find(at, key)
  return at === undefined ? undefined : stringOf(at)
}

/** The object, with the ref it was reached by; values that are no objects have no room for it. */
function withRef(value: RawJson, ref: string): RawJson {
  return value.isObject ? objectOf([...entries(value), ['_ref', RawJson.of(ref)]]) : value
}

function replaceAt(value: RawJson | null, path: readonly string[], replacement: RawJson): RawJson {
  const [key, ...rest] = path
  if (key === undefined || value === null) return replacement
  return objectOf(
    entries(value).map(([name, member]) => [
      name,
      name === key ? replaceAt(member, rest, replacement) : member,
    ]),
  )
}
