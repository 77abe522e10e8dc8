import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { allOf, type Filter } from '../filter/ast.ts'
import { fromQuery } from '../filter/from-query.ts'

/** What a saved view asks for, as a filter. */
interface ReadFilter {
  readonly filter: Filter | undefined
  /** What it asks beyond that, in words. */
  readonly leftOut: readonly string[]
}

/** The query of a view: ours are read as they are, those of Weave after what it adds has been taken away. */
export function filterOfQuery(query: JsonText): ReadFilter {
  const exact = fromQuery(query.text)
  if (exact !== undefined) return { filter: exact, leftOut: [] }
  const seen = { mindsCase: false }
  const filter = fromQuery(JsonText.of(plain(query.text, 0, seen)).text)
  if (filter === undefined) return { filter, leftOut: ['a query that no filter can say'] }
  return { filter, leftOut: seen.mindsCase ? ['the case of letters in “contains”'] : [] }
}

/** What SDKs write into every object to know its class. */
const MARKS = new Set(['_type', '_class_name', '_bases'])
const NUMBERS = new Set(['double', 'int'])

/** Without marks, without conversions to numbers (a number to compare with says the same), and without minding case. */
function plain(text: string, from: number, seen: { mindsCase: boolean }): unknown {
  const at = skipSpace(text, from)
  const kind = kindAt(text, at)
  if (kind === 'array') {
    const items: unknown[] = []
    eachChild(text, at, (_, valueAt) => void items.push(plain(text, valueAt, seen)))
    return items
  }
  if (kind === 'object') {
    const members: Record<string, unknown> = {}
    eachChild(text, at, (keyAt, valueAt) => {
      const key = stringAt(text, keyAt)
      if (!MARKS.has(key)) members[key] = plain(text, valueAt, seen)
    })
    return plainOperation(members, seen)
  }
  if (kind === 'string') return stringAt(text, at)
  // Numbers keep their digits.
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

function plainOperation(members: Record<string, unknown>, seen: { mindsCase: boolean }): unknown {
  const { $convert, $contains } = members as Operation
  if ($convert !== undefined && NUMBERS.has(String($convert.to))) return $convert.input
  if ($contains === undefined) return members
  const flag = $contains.case_insensitive
  if (!(flag instanceof JsonText && flag.text === 'true')) seen.mindsCase = true
  return { $contains: { input: $contains.input, substr: $contains.substr, case_insensitive: true } }
}

/** The fields of filters that say what the plain filter of a request says. */
const FIELDS: Readonly<Record<string, string>> = {
  parent_ids: 'parent',
  trace_ids: 'trace',
  thread_ids: 'thread',
  wb_user_ids: 'user',
  call_ids: 'id',
}

/** The plain filter of a view, apart from whether it wants whole traces only. */
export function filterOfCallsFilter(members: ReadonlyMap<string, JsonText>): ReadFilter {
  const filters: Filter[] = []
  const leftOut: string[] = []
  for (const [name, json] of members) {
    if (MARKS.has(name) || name === 'trace_roots_only') continue
    const value: unknown = JSON.parse(json.text)
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
    const field = FIELDS[name]
    if (name === 'op_names') filters.push(ofOps(texts))
    else if (field !== undefined) filters.push(isAnyOf(field, texts))
    else leftOut.push(`its filter by ${name}`)
  }
  return { filter: allOf(filters), leftOut }
}

function isAnyOf(field: string, [first = '', ...others]: readonly string[]): Filter {
  const value = (text: string) => ({ kind: 'text', text }) as const
  if (others.length === 0) return { kind: 'compare', field, operator: '=', value: value(first) }
  return { kind: 'in', field, values: [first, ...others].map(value), isNegated: false }
}

/** `weave:///e/p/op/answer:*` stands for every version of an op. */
function ofOps(names: readonly string[]): Filter {
  const each = names.map((name): Filter =>
    name.endsWith(':*')
      ? { kind: 'contains', field: 'op', value: name.slice(0, -1), isNegated: false }
      : isAnyOf('op', [name]),
  )
  return each.length === 1 && each[0] !== undefined ? each[0] : { kind: 'or', of: each }
}
