import { editDistance } from '../../client/browser/edit-distance.ts'
import type { Filter, FilterValue } from './ast.ts'
import { findField, isField, KNOWN_FIELDS } from './fields.ts'

/** What is wrong with the field or the value of a condition, and what to write instead; `undefined` if it is valid. */
export function conditionError(condition: Filter): string | undefined {
  if (!('field' in condition)) return undefined
  const { field } = condition
  if (!isField(field)) return unknownFieldError(field)
  const known = findField(field)
  if (known === undefined || condition.kind === 'exists') return undefined
  if (condition.kind === 'contains') {
    const isText = known.type === 'text' || known.type === 'list'
    return isText ? undefined : `${field} is ${KINDS[known.type]}: compare it with =, !=, > or <`
  }
  const values = condition.kind === 'compare' ? [condition.value] : condition.values
  const wrong = values.find((value) => !isValueOf(known.type, value))
  if (wrong !== undefined) return `${field} is ${KINDS[known.type]}: write ${EXAMPLES[known.type]}`
  if (known.isClosed !== true) return undefined
  const unknown = values.find((value) => value.kind !== 'text' || !known.values?.includes(value.text))
  return unknown === undefined ? undefined : `${field} is one of ${known.values?.join(', ')}`
}

type FieldType = (typeof KNOWN_FIELDS)[number]['type']

const KINDS: Readonly<Record<FieldType, string>> = {
  text: 'text',
  list: 'a list of texts',
  number: 'a number',
  duration: 'a duration',
  time: 'a time',
}

const EXAMPLES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  list: 'text',
  number: 'a number, such as 1000 or 0.05',
  duration: 'a number with a unit, such as 350ms, 2s or 1m',
  time: 'a date or a time in UTC, such as 2026-11-16 or "2026-11-16T09:30:00Z"',
}

function isValueOf(type: FieldType, value: FilterValue): boolean {
  switch (type) {
    case 'duration':
      return value.kind === 'duration'
    case 'number':
      return value.kind === 'number'
    case 'time':
      return value.kind === 'number' || (value.kind === 'text' && !Number.isNaN(Date.parse(value.text)))
    case 'text':
    case 'list':
      return true
  }
}

function unknownFieldError(name: string): string {
  const similar = KNOWN_FIELDS.find((field) => isSimilar(field.name, name.toLowerCase()))?.name
  const advice =
    similar === undefined
      ? `for a value in the payloads write inputs.${name}, output.${name} or attributes.${name}`
      : `did you mean ${similar}? For a value in the payloads write inputs.${name} or attributes.${name}`
  return `there is no field ${name}: ${advice}`
}

function isSimilar(known: string, typed: string): boolean {
  return (
    (typed.length > 2 && known.startsWith(typed)) || editDistance(known, typed) <= (typed.length > 4 ? 2 : 1)
  )
}
