import { findField, KNOWN_FIELDS } from './fields.ts'
import type { Expectation } from './parse.ts'
import { printField, printValue } from './print.ts'

/** One line of the list below the filter box. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly about: string
  /** What is put in place of what was being typed. */
  readonly insert: string
}

export interface KnownValues {
  readonly paths: readonly string[]
  readonly values: readonly { readonly text: string; readonly count: number }[]
}

const MOST = 30

export function suggest(expectation: Expectation, known: KnownValues): Suggestion[] {
  switch (expectation.kind) {
    case 'field':
      return fields(expectation.prefix.replaceAll('`', ''), known.paths)
    case 'operator':
      return operators(expectation.field).filter(({ label }) => label.startsWith(expectation.prefix))
    case 'value':
      return values(expectation.field, expectation.prefix.replace(/^["']|["']$/g, ''), known.values)
    case 'connective':
      return [
        { id: 'and', label: 'and', about: 'both must hold', insert: 'and ' },
        { id: 'or', label: 'or', about: 'one is enough', insert: 'or ' },
      ].filter(({ label }) => label.startsWith(expectation.prefix.toLowerCase()))
  }
}

function fields(prefix: string, paths: readonly string[]): Suggestion[] {
  const all = [
    ...KNOWN_FIELDS.map(({ name, about }) => ({ name, about })),
    ...paths.map((name) => ({ name, about: 'in your calls' })),
  ]
  const wanted = prefix.toLowerCase()
  return ranked(all, wanted, ({ name }) => name).map(({ name, about }) => ({
    id: `field ${name}`,
    label: name,
    about,
    insert: `${printField(name)} `,
  }))
}

/** Those that begin with it first, then those that hold it. */
function ranked<T>(all: readonly T[], wanted: string, textOf: (item: T) => string): T[] {
  const at = (item: T): number => textOf(item).toLowerCase().indexOf(wanted)
  return [...all.filter((item) => at(item) === 0), ...all.filter((item) => at(item) > 0)].slice(0, MOST)
}

const OPERATORS: readonly (readonly [string, string])[] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['~', 'contains, in either case'],
  ['!~', 'does not contain'],
  ['>', 'more than'],
  ['>=', 'at least'],
  ['<', 'less than'],
  ['<=', 'at most'],
  ['in', 'is one of'],
  ['exists', 'has a value'],
  ['missing', 'has no value'],
]

function operators(field: string): Suggestion[] {
  const type = findField(field)?.type
  const order = ['>', '>=', '<', '<=']
  const fit = OPERATORS.filter(([operator]) => {
    if (type === 'duration' || type === 'time') return order.includes(operator)
    return findField(field)?.values === undefined || !order.includes(operator)
  })
  return fit.map(([operator, about]) => ({
    id: `operator ${operator}`,
    label: operator,
    about,
    insert: operator === 'in' ? 'in (' : `${operator} `,
  }))
}

function values(field: string, prefix: string, found: KnownValues['values']): Suggestion[] {
  const known = findField(field)
  if (known?.type === 'duration') {
    return ['500ms', '2s', '10s', '1m'].map((text) => ({
      id: `value ${text}`,
      label: text,
      about: '',
      insert: `${text} `,
    }))
  }
  const counts = new Map(found.map(({ text, count }) => [text, count]))
  const all = [...new Set([...(known?.values ?? []), ...counts.keys()])]
  return ranked(all, prefix.toLowerCase(), (text) => text).map((text) => {
    const count = counts.get(text)
    return {
      id: `value ${text}`,
      label: text,
      about: count === undefined ? '' : `${count} calls`,
      insert: `${printValue(valueOf(text))} `,
    }
  })
}

/** Groups are told as text: one that looks like a number is meant as one. */
function valueOf(text: string) {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return { kind: 'number', text } as const
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' } as const
  return { kind: 'text', text } as const
}
