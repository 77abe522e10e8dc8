import type { z } from 'zod'
import { type ApiError, type FieldError, invalidFields, MISSING_FIELD } from '../contract/api-error.ts'

/** Turns the issues that zod found in a request into a 422 error. */

/** Bounds of `detail`: a batch may have 100,000 invalid items, and a key may be a megabyte long. */
const MAX_DETAILS = 20
const MAX_KEY_CHARACTERS = 200

export function validationError(error: z.ZodError, input: unknown): ApiError {
  return invalidFields(error.issues.slice(0, MAX_DETAILS).map((issue) => fieldError(issue, input)))
}

function fieldError(issue: z.core.$ZodIssue, input: unknown): FieldError {
  const value = issue.path.reduce(memberOf, input)
  const loc = issue.path.map((part) => (typeof part === 'number' ? part : truncated(String(part))))
  if (value !== undefined)
    return { loc, msg: message(issue, value), type: issue.code === 'custom' ? 'value_error' : issue.code }
  // A rule about several fields says which of them is missing.
  const msg = issue.message.startsWith(MISSING_FIELD) ? issue.message : MISSING_FIELD
  return { loc, msg, type: 'missing' }
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined
}

/** Messages of zod's own checks; a message of the contract stays as it is. */
function message(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const expected = `must be ${TYPES.get(issue.expected) ?? issue.expected}`
    return issue.expected === 'int' ? expected : `${expected}, not ${TYPES.get(typeName(value)) ?? 'a file'}`
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid'))
    return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`
  if (issue.code === 'invalid_union' && issue.message.startsWith('Invalid discriminator'))
    return issue.message
      .replace('Invalid discriminator value. Expected', 'must be')
      .replaceAll(' | ', ' or ')
      .replaceAll("'", '"')
  return issue.message
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'an array'],
  ['null', 'null'],
])

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function truncated(text: string): string {
  return text.length > MAX_KEY_CHARACTERS ? `${text.slice(0, MAX_KEY_CHARACTERS)}…` : text
}
