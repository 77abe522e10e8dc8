import { eachChild, kindAt, skipSpace, stringAt } from '../../../client/browser/json-scan.ts'
import { JsonText } from '../../../client/browser/json-text.ts'
import { conjunction, type Filter } from '../../filter/ast.ts'
import { fromQuery } from '../../filter/from-query.ts'

/** The filter of a saved view. */
interface ParsedFilter {
  readonly filter: Filter | undefined
  /** Descriptions of conditions that filters cannot express. */
  readonly unsupported: readonly string[]
}

/** Converts the query of a view. Queries written by Weave SDKs are normalized first. */
export function filterFromQuery(query: JsonText): ParsedFilter {
  const exact = fromQuery(query.text)
  if (exact !== undefined) return { filter: exact, unsupported: [] }
  const flags = { isCaseSensitive: false }
  const filter = fromQuery(JsonText.of(normalize(query.text, 0, flags)).text)
  if (filter === undefined) return { filter, unsupported: ['a query that filters cannot express'] }
  return { filter, unsupported: flags.isCaseSensitive ? ['case-sensitive “contains”'] : [] }
}

/** Keys that SDKs add to every object to record its class. */
const CLASS_KEYS = new Set(['_type', '_class_name', '_bases'])
const NUMBER_TYPES = new Set(['double', 'int'])

/**
 * Removes class keys and conversions to numbers, and makes `$contains` case-insensitive. A numeric literal implies the
 * conversion.
 */
function normalize(text: string, from: number, flags: { isCaseSensitive: boolean }): unknown {
  const at = skipSpace(text, from)
  const kind = kindAt(text, at)
  if (kind === 'array') {
    const items: unknown[] = []
    eachChild(text, at, (_, valueAt) => void items.push(normalize(text, valueAt, flags)))
    return items
  }
  if (kind === 'object') {
    const members: Record<string, unknown> = {}
    eachChild(text, at, (keyAt, valueAt) => {
      const key = stringAt(text, keyAt)
      if (!CLASS_KEYS.has(key)) members[key] = normalize(text, valueAt, flags)
    })
    return normalizeOperation(members, flags)
  }
  if (kind === 'string') return stringAt(text, at)
  // Numbers keep their original digits.
  return new JsonText(/^[^\s,\]}]+/.exec(text.slice(at))?.[0] ?? 'null')
}

interface Operation {
  readonly $convert?: { readonly input?: unknown; readonly to?: unknown }
  readonly $contains?: {
    readonly input?: unknown
    readonly substr?: unknown
    readonly case_insensitive?: unknown
  }
}

function normalizeOperation(members: Record<string, unknown>, flags: { isCaseSensitive: boolean }): unknown {
  const { $convert, $contains } = members as Operation
  if ($convert !== undefined && NUMBER_TYPES.has(String($convert.to))) return $convert.input
  if ($contains === undefined) return members
  const flag = $contains.case_insensitive
  if (!(flag instanceof JsonText && flag.text === 'true')) flags.isCaseSensitive = true
  return { $contains: { input: $contains.input, substr: $contains.substr, case_insensitive: true } }
}

/** Filter fields that correspond to members of the API's calls filter. */
const FILTER_FIELDS: Readonly<Record<string, string>> = {
  parent_ids: 'parent',
  trace_ids: 'trace',
  thread_ids: 'thread',
  wb_user_ids: 'user',
  call_ids: 'id',
}

/** Converts the calls filter of a view, except `trace_roots_only`. */
export function filterFromCallsFilter(members: ReadonlyMap<string, JsonText>): ParsedFilter {
  const filters: Filter[] = []
  const unsupported: string[] = []
  for (const [name, json] of members) {
    if (CLASS_KEYS.has(name) || name === 'trace_roots_only') continue
    const value: unknown = JSON.parse(json.text)
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
    const field = FILTER_FIELDS[name]
    if (name === 'op_names') filters.push(opFilter(texts))
    else if (field !== undefined) filters.push(equalsAny(field, texts))
    else unsupported.push(`filter by ${name}`)
  }
  return { filter: conjunction(filters), unsupported }
}

function equalsAny(field: string, [first = '', ...others]: readonly string[]): Filter {
  const value = (text: string) => ({ kind: 'text', text }) as const
  if (others.length === 0) return { kind: 'compare', field, operator: '=', value: value(first) }
  return { kind: 'in', field, values: [first, ...others].map(value), isNegated: false }
}

/** A name such as `weave:///e/p/op/answer:*` matches every version of an op. */
function opFilter(names: readonly string[]): Filter {
  const filters = names.map((name): Filter =>
    name.endsWith(':*')
      ? { kind: 'contains', field: 'op_name', value: name.slice(0, -1), isNegated: false }
      : equalsAny(name.startsWith('weave:///') ? 'op_name' : 'op', [name]),
  )
  return filters.length === 1 && filters[0] !== undefined ? filters[0] : { kind: 'or', operands: filters }
}
