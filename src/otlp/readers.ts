import type { Attribute } from './attribute.ts'
import { asNumber, asText, isList, isObject, type Json, type JsonObject, jsonObject } from './json.ts'
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

type Branch = Map<string, Json | Branch>

/** A tree of dotted keys. A key that would replace another value stays as it is. */
function tree(members: Iterable<readonly [string, Json]>): Branch {
  const root: Branch = new Map()
  for (const [key, value] of members)
    if (!put(root, key.split('.', MAX_PARTS + 1), value) && !root.has(key)) root.set(key, value)
  return root
}

function put(root: Branch, parts: readonly string[], value: Json): boolean {
  const last = parts.length - 1
  if (last >= MAX_PARTS) return false
  let at = root
  for (let i = 0; i < last; i++) {
    const next = at.get(parts[i]!)
    if (next === undefined) {
      const made: Branch = new Map()
      at.set(parts[i]!, made)
      at = made
    } else if (next instanceof Map) at = next
    else return false
  }
  if (at.has(parts[last]!)) return false
  at.set(parts[last]!, value)
  return true
}

/** Builds objects from dotted keys. */
export function nest(members: Iterable<readonly [string, Json]>): JsonObject {
  return toObject(tree(members), false)
}

function toObject(branch: Branch, withLists: boolean): JsonObject {
  return jsonObject(
    [...branch].map(([key, node]) => [key, node instanceof Map ? toValue(node, withLists) : node]),
  )
}

/** A branch with nothing but indexes for keys is a list. */
function toValue(branch: Branch, withLists: boolean): Json {
  if (!withLists) return toObject(branch, false)
  for (const key of branch.keys()) if (!isIndex(key)) return toObject(branch, true)
  return toList(branch)
}

function toList(branch: Branch): readonly Json[] {
  const indexes = [...branch.keys()].filter(isIndex)
  if (indexes.some((key, i) => i > 0 && Number(indexes[i - 1]) > Number(key)))
    indexes.sort((a, b) => Number(a) - Number(b))
  return indexes.slice(0, MAX_ITEMS).map((key) => {
    const node = branch.get(key)!
    return node instanceof Map ? toValue(node, true) : node
  })
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 && /^\d{1,9}$/.test(key)
}

/** Rebuilds a list from attributes such as `0.message.role`, in the order of the indexes. */
export function indexed(members: readonly Attribute[]): readonly Json[] {
  return toList(tree(members.map(({ name, plain }) => [name, plain] as const)))
}
