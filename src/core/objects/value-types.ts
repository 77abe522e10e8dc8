import { MISSING_FIELD } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { entries, items, stringValue } from '../json/navigate.ts'

/**
 * Types of values that are validated and completed as Weave's server does it with Pydantic: "3" is an integer, 1 is a
 * number with a point. Everything else keeps its spelling.
 */
export interface ValueType {
  /** What a value must be, for messages. */
  readonly name: string
  readonly read: (json: RawJson, loc: Loc) => Read
}

export type Loc = readonly (string | number)[]

/** A valid value as it is stored. */
interface Valid {
  readonly text: string
  /** Whether the value was of this type already. */
  readonly isExact: boolean
  /** The fields of classes that were given. */
  readonly fields: number
}

interface Mismatch {
  readonly loc: Loc
  readonly msg: string
}

export type Read = Valid | Mismatch

export function isMismatch(read: Read): read is Mismatch {
  return 'msg' in read
}

const exact = (text: string): Valid => ({ text, isExact: true, fields: 0 })
const converted = (text: string): Valid => ({ text, isExact: false, fields: 0 })

/** A type without parts. `read` returns undefined for other values. */
function simple(name: string, read: (json: RawJson, text: string) => Valid | undefined): ValueType {
  return { name, read: (json, loc) => read(json, json.text.trim()) ?? { loc, msg: `must be ${name}` } }
}

export const text = simple('a string', (_, at) => (at.startsWith('"') ? exact(at) : undefined))

export const nothing = simple('null', (_, at) => (at === 'null' ? exact(at) : undefined))

export const anyObject = simple('an object', (_, at) => (at.startsWith('{') ? exact(at) : undefined))

const INTEGER = /^-?\d+$/
const NUMBER = /^-?\d/
const INTEGER_TEXT = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/
const NUMBER_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const MAX_FROM_NUMBER = 2 ** 63

export const integer = simple('an integer', (json, at) => {
  if (INTEGER.test(at)) return exact(at === '-0' ? '0' : at)
  if (at === 'true' || at === 'false') return converted(at === 'true' ? '1' : '0')
  if (NUMBER.test(at)) {
    const value = Number(at)
    return Number.isInteger(value) && Math.abs(value) < MAX_FROM_NUMBER
      ? converted(BigInt(value).toString())
      : undefined
  }
  const digits = stringValue(json) ?? ''
  return INTEGER_TEXT.test(digits)
    ? converted(BigInt(digits.trim().replace(/\..*$|_|^\+/g, '')).toString())
    : undefined
})

export const float = simple('a number', (json, at) => {
  if (NUMBER.test(at)) return INTEGER.test(at) ? converted(withPoint(at)) : exact(at)
  if (at === 'true' || at === 'false') return converted(at === 'true' ? '1.0' : '0.0')
  const digits = stringValue(json) ?? ''
  const value = Number(digits)
  return NUMBER_TEXT.test(digits) && Number.isFinite(value) ? converted(withPoint(String(value))) : undefined
})

/** As Python writes a float. */
function withPoint(number: string): string {
  const value = number === '-0' ? '0' : number
  return canonicalJson(RawJson.fromText(INTEGER.test(value) ? `${value}.0` : value))
}

const TRUE = new Set(['1', 't', 'true', 'y', 'yes', 'on'])
const FALSE = new Set(['0', 'f', 'false', 'n', 'no', 'off'])

export const flag = simple('true or false', (json, at) => {
  if (at === 'true' || at === 'false') return exact(at)
  const given = NUMBER.test(at) ? String(Number(at)) : (stringValue(json) ?? '').toLowerCase()
  return TRUE.has(given) ? converted('true') : FALSE.has(given) ? converted('false') : undefined
})

export function oneOf(...choices: readonly string[]): ValueType {
  const names = choices.map((choice) => JSON.stringify(choice))
  return simple(names.join(' or '), (json, at) =>
    choices.includes(stringValue(json) ?? '') ? exact(at) : undefined,
  )
}

export function list(type: ValueType): ValueType {
  return {
    name: 'a list',
    read: (json, loc) =>
      json.text.trimStart().startsWith('[')
        ? readParts(
            items(json).map((item, i) => [type, item, [...loc, i], '']),
            ['[', ']'],
          )
        : { loc, msg: 'must be a list' },
  }
}

/** A list with an item of each type. */
export function tuple(...types: readonly ValueType[]): ValueType {
  const name = types.length === 1 ? 'a list of 1 item' : `a list of ${types.length} items`
  return {
    name,
    read: (json, loc) => {
      const found = items(json)
      return json.text.trimStart().startsWith('[') && found.length === types.length
        ? readParts(
            types.map((type, i) => [type, found[i]!, [...loc, i], '']),
            ['[', ']'],
          )
        : { loc, msg: `must be ${name}` }
    },
  }
}

/** An object with any keys. */
export function map(type: ValueType): ValueType {
  return {
    name: 'an object',
    read: (json, loc) =>
      json.isObject
        ? readParts(
            [...members(json)].map(([key, member]) => [
              type,
              member,
              [...loc, key],
              `${JSON.stringify(key)}:`,
            ]),
            ['{', '}'],
          )
        : { loc, msg: 'must be an object' },
  }
}

export function anyOf(...types: readonly ValueType[]): ValueType {
  return named(types.map((type) => type.name).join(' or '), ...types)
}

/** The type that fits best: with the most given fields, then without a conversion, then the first. */
export function named(name: string, ...types: readonly ValueType[]): ValueType {
  const isChoice = types.filter((type) => type !== nothing).length > 1
  return {
    name,
    read: (json, loc) => {
      let best: Valid | undefined
      let closest: Mismatch = { loc, msg: `must be ${name}` }
      for (const type of types) {
        const read = type.read(json, loc)
        if (isMismatch(read)) {
          // What is wrong below the value says more than that no type fits. A missing key only says which type it is not.
          const isOther = isChoice && read.msg === MISSING_FIELD && read.loc.length === loc.length + 1
          if (read.loc.length > closest.loc.length && !isOther) closest = read
        } else if (best === undefined || isBetter(read, best)) best = read
      }
      return best ?? closest
    },
  }
}

/** The type that a member of the value names. */
export function byMember(key: string, types: Readonly<Record<string, ValueType>>): ValueType {
  const tag = oneOf(...Object.keys(types))
  return {
    name: 'an object',
    read: (json, loc) => {
      const member = members(json).get(key)
      const type = member && Object.entries(types).find(([name]) => name === stringValue(member))?.[1]
      return type?.read(json, loc) ?? { loc: [...loc, key], msg: `must be ${tag.name}` }
    },
  }
}

function isBetter(a: Valid, b: Valid): boolean {
  return a.fields === b.fields ? a.isExact && !b.isExact : a.fields > b.fields
}

/** A type with a rule. `findProblem` says what a valid value must be otherwise. */
export function refined(
  type: ValueType,
  findProblem: (json: RawJson) => { readonly loc?: Loc; readonly msg: string } | undefined,
): ValueType {
  return {
    name: type.name,
    read: (json, loc) => {
      const read = type.read(json, loc)
      if (isMismatch(read)) return read
      const problem = findProblem(RawJson.fromText(read.text))
      return problem === undefined ? read : { loc: [...loc, ...(problem.loc ?? [])], msg: problem.msg }
    },
  }
}

export interface Field {
  readonly type: ValueType
  /** JSON; a field without it is required. */
  readonly fallback?: string
  /** Another key under which the field may be given. */
  readonly otherKey?: string
}

export const optional = (type: ValueType): Field => ({ type: anyOf(type, nothing), fallback: 'null' })

export interface ObjectClass {
  /** The names of its base classes, from the nearest. */
  readonly bases: readonly string[]
  readonly fields: Readonly<Record<string, ValueType | Field>>
  /** Other keys are refused instead of left out. */
  readonly isClosed?: boolean
  /** Keys that are left out although the class is closed. */
  readonly ignored?: readonly string[]
}

/** An object of a class: its fields in the order of the class, between the keys that name the class. */
export function instanceOf(name: string, definition: () => ObjectClass): ValueType {
  return {
    name: `an object of class ${name}`,
    read: (json, loc) => {
      if (!json.isObject) return { loc, msg: 'must be an object' }
      const { fields, bases, isClosed = false, ignored = [] } = definition()
      const given = members(json)
      const known = new Set(ignored)
      const parts: Part[] = []
      let count = 0
      for (const [key, each] of Object.entries(fields)) {
        const { type, fallback, otherKey = key }: Field = 'type' in each ? each : { type: each }
        const member = given.get(key) ?? given.get(otherKey)
        if (member !== undefined) count++
        else if (fallback === undefined) return { loc: [...loc, key], msg: MISSING_FIELD }
        known.add(key).add(otherKey)
        parts.push([
          type,
          member ?? RawJson.fromText(fallback ?? ''),
          [...loc, key],
          `${JSON.stringify(key)}:`,
        ])
      }
      const unknown = isClosed ? [...given.keys()].find((key) => !known.has(key)) : undefined
      if (unknown !== undefined) return { loc: [...loc, unknown], msg: 'unknown field' }
      const quoted = JSON.stringify(name)
      const read = readParts(parts, [
        `{"_type":${quoted},`,
        `,"_class_name":${quoted},"_bases":${JSON.stringify(bases)}}`,
      ])
      return isMismatch(read) ? read : { ...read, fields: read.fields + count }
    },
  }
}

/** Type, value, location, and the text before the value. */
type Part = readonly [ValueType, RawJson, Loc, string]

function readParts(parts: readonly Part[], [open, close]: readonly [string, string]): Read {
  const texts: string[] = []
  let isExact = true
  let fields = 0
  for (const [type, json, loc, before] of parts) {
    const read = type.read(json, loc)
    if (isMismatch(read)) return read
    texts.push(before + read.text)
    isExact &&= read.isExact
    fields += read.fields
  }
  return { text: open + texts.join(',') + close, isExact, fields }
}

/** The last of repeated keys wins, as in Python. */
function members(json: RawJson): ReadonlyMap<string, RawJson> {
  return new Map(entries(json))
}
