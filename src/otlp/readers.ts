import type { Attribute } from './attribute.ts'
import { asNumber, asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import { parseJsonText } from './json-text.ts'

/** What rules do with an attribute. */
export type Read = (attribute: Attribute) => Json | undefined

export const text: Read = (attribute) => attribute.text
export const count: Read = (attribute) => attribute.count
export const json: Read = (attribute) => nonEmpty(attribute.json)
/** JSON in the spelling of the sender. */
export const exact: Read = (attribute) =>
  nonEmpty(attribute.json) === undefined ? undefined : attribute.exact

export const number: Read = (attribute) =>
  typeof attribute.value === 'string'
    ? attribute.number
    : attribute.number === undefined
      ? undefined
      : attribute.plain

export const flag: Read = (attribute) => {
  const { value } = attribute
  return typeof value === 'boolean' ? value : value === 'true' || value === 'True' || value === 1n
}

/** Instrumentations send one text instead of a list of one. */
export const textList: Read = (attribute) => {
  const value = attribute.json
  if (isList(value)) return value.length === 0 ? undefined : value
  return typeof value === 'string' ? [value] : undefined
}

/** A member of a JSON object. */
export function member(...path: readonly string[]): Read {
  return (attribute) => nonEmpty(memberAt(attribute.json, ...path))
}

export function textMember(...path: readonly string[]): Read {
  return (attribute) => asText(memberAt(attribute.json, ...path))
}

/** The first of several members that is a count. */
export function countMember(...names: readonly string[]): Read {
  return (attribute) => {
    for (const name of names) {
      const value = asNumber(memberAt(attribute.json, ...name.split('.')))
      if (value !== undefined && value >= 0) return Math.trunc(value)
    }
    return undefined
  }
}

export function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return at
}

export function nonEmpty(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (isList(value)) return value.length === 0 ? undefined : value
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value
}

/** A value by name, for enumerations; names are compared in lower case. */
export function choice(choices: Readonly<Record<string, string>>): Read {
  const byName = new Map(Object.entries(choices))
  return (attribute) => byName.get(attribute.text?.toLowerCase() ?? '')
}

/** A list whose items are JSON or texts of JSON. */
export const listOfJson: Read = (attribute) => {
  const list = attribute.json
  if (!isList(list)) return isObject(list) ? [list] : undefined
  return list.map((item) => (typeof item === 'string' ? (parseJsonText(item) ?? item) : item))
}

/** The rest of the keys of a group as one object. */
export function groupObject(
  members: readonly Attribute[],
  ...without: readonly string[]
): JsonObject | undefined {
  const rest = members.filter(({ name }) => !without.includes(name))
  if (rest.length === 0) return undefined
  return nest(rest.map((attribute) => [attribute.name, attribute.json] as const))
}

const MAX_ITEMS = 10_000
const MAX_PARTS = 12

interface Branch {
  [key: string]: Json | Branch | undefined
}

/** Builds objects from dotted keys; members with numbers for keys stay objects, see `indexed`. */
export function nest(members: Iterable<readonly [string, Json]>): JsonObject {
  const root = Object.create(null) as Branch
  for (const [key, value] of members) {
    const parts = key.split('.')
    if (parts.length > MAX_PARTS || !put(root, parts, value)) root[key] ??= value
  }
  return root
}

function put(root: Branch, parts: readonly string[], value: Json): boolean {
  let at = root
  for (const part of parts.slice(0, -1)) {
    const next = (at[part] ??= branch())
    if (!branches.has(next as object)) return false
    at = next as Branch
  }
  const last = parts.at(-1)!
  if (at[last] !== undefined) return false
  at[last] = value
  return true
}

/** Objects that `nest` made, as opposed to values that are objects. */
const branches = new WeakSet<object>()

function branch(): Branch {
  const made = Object.create(null) as Branch
  branches.add(made)
  return made
}

/** Rebuilds a list from attributes such as `0.message.role`, in the order of the indexes. */
export function indexed(members: readonly Attribute[]): readonly Json[] {
  return toLists(nest(members.map(({ name, plain }) => [name, plain] as const))) as readonly Json[]
}

/** Objects with nothing but indexes for keys become lists. The outermost always does. */
function toLists(value: Json | undefined, isRoot = true): Json {
  if (!isObject(value)) return value ?? null
  if (!isRoot && !branches.has(value)) return value
  const keys = Object.keys(value)
  const isIndexed = keys.length > 0 && keys.every((key) => /^\d{1,9}$/.test(key))
  if (isIndexed || isRoot) {
    // Integer keys of an object are in numeric order.
    const items = keys.filter((key) => /^\d{1,9}$/.test(key)).slice(0, MAX_ITEMS)
    return items.map((key) => toLists(value[key], false))
  }
  const made = Object.create(null) as Record<string, Json>
  for (const key of keys) made[key] = toLists(value[key], false)
  return made
}
