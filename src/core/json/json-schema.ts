import { isObject } from './is-object.ts'

/**
 * A JSON Schema validator for the subset that annotation specs use: types, enums, bounds and lengths, also inside
 * objects and arrays. Unknown keywords match every value. `pattern` is not supported: a client's regular expression
 * could block the server (ReDoS).
 */

type Schema = Readonly<Record<string, unknown>>

/** Describes why the value does not match the schema; undefined if it does. */
export function findMismatch(value: unknown, schema: unknown, at = 'value'): string | undefined {
  if (!isObject(schema)) return undefined
  return (
    wrongType(value, schema, at) ??
    wrongChoice(value, schema, at) ??
    (typeof value === 'number' ? outOfBounds(value, schema, at) : undefined) ??
    (typeof value === 'string' ? wrongLength(Array.from(value).length, schema, 'Length', at) : undefined) ??
    (Array.isArray(value) ? wrongItems(value, schema, at) : undefined) ??
    (isObject(value) ? wrongMembers(value, schema, at) : undefined)
  )
}

function wrongType(value: unknown, schema: Schema, at: string): string | undefined {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  if (types.length === 0 || types.some((type) => hasType(value, type))) return undefined
  return `${at} must be of type ${types.join(' or ')}`
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}

function wrongChoice(value: unknown, schema: Schema, at: string): string | undefined {
  const choices = Array.isArray(schema['enum'])
    ? schema['enum']
    : 'const' in schema
      ? [schema['const']]
      : undefined
  if (choices === undefined) return undefined
  const text = JSON.stringify(value)
  return choices.some((choice) => JSON.stringify(choice) === text)
    ? undefined
    : `${at} must be one of the values of enum`
}

function outOfBounds(value: number, schema: Schema, at: string): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (typeof minimum === 'number' && value < minimum) return `${at} must be at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `${at} must be at most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `${at} must be above ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `${at} must be below ${exclusiveMaximum}`
  return undefined
}

function wrongLength(
  length: number,
  schema: Schema,
  keyword: 'Length' | 'Items',
  at: string,
): string | undefined {
  const [min, max] = [schema[`min${keyword}`], schema[`max${keyword}`]]
  if (typeof min === 'number' && length < min) return `${at} must have a length of at least ${min}`
  if (typeof max === 'number' && length > max) return `${at} must have a length of at most ${max}`
  return undefined
}

function wrongItems(items: readonly unknown[], schema: Schema, at: string): string | undefined {
  const wrong = wrongLength(items.length, schema, 'Items', at)
  if (wrong !== undefined) return wrong
  return firstMismatch(
    items.map((item, i) => [item, `${at}.${i}`]),
    schema['items'],
  )
}

function wrongMembers(object: Schema, schema: Schema, at: string): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const missing = required.find((key) => typeof key === 'string' && !Object.hasOwn(object, key))
  if (missing !== undefined) return `${at}.${missing} is missing`
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [key, member] of Object.entries(object)) {
    const wrong = Object.hasOwn(properties, key)
      ? findMismatch(member, properties[key], `${at}.${key}`)
      : undefined
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function firstMismatch(values: readonly (readonly [unknown, string])[], schema: unknown): string | undefined {
  for (const [value, at] of values) {
    const wrong = findMismatch(value, schema, at)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
