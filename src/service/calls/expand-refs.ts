import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { ObjectRef } from '../../contract/objects/ref.ts'
import { entries, find, stringValue } from '../../core/json/navigate.ts'
import { buildObject } from '../../core/json/object.ts'
import type { Deps } from '../deps.ts'
import { parseOwnRef, resolveRefs } from '../objects/ref-resolution.ts'

/**
 * Replaces refs by the values they point at, for the fields in `expand_columns`: if `inputs.model` holds a ref, it
 * becomes the model, with the ref in `_ref`. Each nested ref needs its own column (`output`, then `output.b`), so
 * columns are expanded from short to long. A ref that cannot be resolved stays as it is.
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
  const refs = new Map<string, ObjectRef>()
  for (const text of texts) {
    const ref = parseOwnRef(text, project_id)
    if (text !== undefined && ref !== undefined) refs.set(text, ref)
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
  return at === undefined ? undefined : stringValue(at)
}

/** Adds `_ref` to an object. Other values cannot hold it. */
function withRef(value: RawJson, ref: string): RawJson {
  return value.isObject ? buildObject([...entries(value), ['_ref', RawJson.fromValue(ref)]]) : value
}

function replaceAt(value: RawJson | null, path: readonly string[], replacement: RawJson): RawJson {
  const [key, ...rest] = path
  if (key === undefined || value === null) return replacement
  return buildObject(
    entries(value).map(([name, member]) => [
      name,
      name === key ? replaceAt(member, rest, replacement) : member,
    ]),
  )
}
