import type { Filter, FilterValue } from './ast.ts'
import { printDuration } from './duration.ts'

/** Prints a filter so that the parser reads the same tree back. */
export function printFilter(filter: Filter | undefined): string {
  return filter === undefined ? '' : print(filter, 'or')
}

/** `within` is the surrounding operator. Operators that bind looser get parentheses. */
function print(filter: Filter, within: 'or' | 'and' | 'not'): string {
  switch (filter.kind) {
    case 'or': {
      const text = filter.operands.map((part) => print(part, 'and')).join(' or ')
      return within === 'or' ? text : `(${text})`
    }
    case 'and': {
      const text = filter.operands.map((part) => print(part, 'and')).join(' and ')
      return within === 'not' ? `(${text})` : text
    }
    case 'not':
      return `not ${print(filter.operand, 'not')}`
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

const BARE_FIELD = /^[\p{L}_$][\p{L}\p{N}_$.\-[\]*\\/@]*$/u
const KEYWORDS = new Set(['not', 'and', 'or'])

export function printField(field: string): string {
  return BARE_FIELD.test(field) && !KEYWORDS.has(field.toLowerCase()) ? field : `\`${field}\``
}

/** Text that needs no quotes. */
const BARE_TEXT = /^[\p{L}_][\p{L}\p{N}_\-.:/]*$/u
const RESERVED_WORDS = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'in'])

export function printValue(value: FilterValue): string {
  switch (value.kind) {
    case 'text':
      return BARE_TEXT.test(value.text) && !RESERVED_WORDS.has(value.text.toLowerCase())
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
