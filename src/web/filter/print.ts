import type { Filter, Value } from './ast.ts'
import { printDuration } from './duration.ts'

/** A filter as text that the parser reads back as the same. */
export function printFilter(filter: Filter | undefined): string {
  return filter === undefined ? '' : print(filter, 'or')
}

/** `within` says what binds around it: what binds looser is put in brackets. */
function print(filter: Filter, within: 'or' | 'and' | 'not'): string {
  switch (filter.kind) {
    case 'or': {
      const text = filter.of.map((part) => print(part, 'and')).join(' or ')
      return within === 'or' ? text : `(${text})`
    }
    case 'and': {
      const text = filter.of.map((part) => print(part, 'and')).join(' and ')
      return within === 'not' ? `(${text})` : text
    }
    case 'not':
      return `not ${print(filter.of, 'not')}`
    case 'compare':
      return `${printField(filter.field)} ${filter.operator} ${printValue(filter.value)}`
    case 'contains':
      return `${printField(filter.field)} ${filter.isNegated ? '!~' : '~'} ${JSON.stringify(filter.value)}`
    case 'in':
      return `${printField(filter.field)} ${filter.isNegated ? 'not in' : 'in'} (${filter.values.map(printValue).join(', ')})`
    case 'exists':
      return `${printField(filter.field)} ${filter.isNegated ? 'missing' : 'exists'}`
  }
}

const PLAIN_FIELD = /^[\p{L}_$][\p{L}\p{N}_$.\-[\]*\\/@]*$/u
const WORDS = new Set(['not', 'and', 'or'])

export function printField(field: string): string {
  return PLAIN_FIELD.test(field) && !WORDS.has(field.toLowerCase()) ? field : `\`${field}\``
}

/** Words that read well without quotes and mean nothing else. */
const PLAIN_TEXT = /^[\p{L}_][\p{L}\p{N}_\-.:/]*$/u
const TAKEN = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'in'])

export function printValue(value: Value): string {
  switch (value.kind) {
    case 'text':
      return PLAIN_TEXT.test(value.text) && !TAKEN.has(value.text.toLowerCase())
        ? value.text
        : JSON.stringify(value.text)
    case 'number':
      return value.text
    case 'duration':
      return printDuration(value.ms)
    case 'boolean':
      return String(value.value)
  }
}
