import { findField, KNOWN_FIELDS } from './fields.ts'
import type { CompletionContext } from './parse.ts'
import { printField, printValue } from './print.ts'

/** One entry of the completion list. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly about: string
  /** Replacement for the typed prefix. */
  readonly insert: string
}

export interface KnownValues {
  readonly paths: readonly string[]
  readonly values: readonly { readonly text: string; readonly count: number }[]
}

const MAX_SUGGESTIONS = 30

export function suggest(context: CompletionContext, known: KnownValues): Suggestion[] {
  switch (context.kind) {
    case 'field':
      return suggestFields(context.prefix.replaceAll('`', ''), known.paths)
    case 'operator':
      return suggestOperators(context.field).filter(({ label }) => label.startsWith(context.prefix))
    case 'value':
      return suggestValues(context.field, context.prefix.replace(/^["']|["']$/g, ''), known.values)
    case 'connective':
      return [
        { id: 'and', label: 'and', about: 'both match', insert: 'and ' },
        { id: 'or', label: 'or', about: 'either matches', insert: 'or ' },
      ].filter(({ label }) => label.startsWith(context.prefix.toLowerCase()))
  }
}

function suggestFields(prefix: string, paths: readonly string[]): Suggestion[] {
  const all = [
    ...KNOWN_FIELDS.map(({ name, about }) => ({ name, about })),
    ...paths.map((name) => ({ name, about: 'found in your calls' })),
  ]
  return rankByMatch(all, prefix.toLowerCase(), ({ name }) => name).map(({ name, about }) => ({
    id: `field ${name}`,
    label: name,
    about,
    insert: `${printField(name)} `,
  }))
}

/** Prefix matches first, then other matches. */
function rankByMatch<T>(all: readonly T[], query: string, getText: (item: T) => string): T[] {
  const at = (item: T): number => getText(item).toLowerCase().indexOf(query)
  return [...all.filter((item) => at(item) === 0), ...all.filter((item) => at(item) > 0)].slice(
    0,
    MAX_SUGGESTIONS,
  )
}

const OPERATORS: readonly (readonly [string, string])[] = [
  ['=', 'equals'],
  ['!=', 'does not equal'],
  ['~', 'contains, ignoring case'],
  ['!~', 'does not contain'],
  ['>', 'greater than'],
  ['>=', 'at least'],
  ['<', 'less than'],
  ['<=', 'at most'],
  ['in', 'one of'],
  ['exists', 'has a value'],
  ['missing', 'has no value'],
]

function suggestOperators(field: string): Suggestion[] {
  const type = findField(field)?.type
  const order = ['>', '>=', '<', '<=']
  const applicable = OPERATORS.filter(([operator]) => {
    if (type === 'duration' || type === 'time') return order.includes(operator)
    return findField(field)?.values === undefined || !order.includes(operator)
  })
  return applicable.map(([operator, about]) => ({
    id: `operator ${operator}`,
    label: operator,
    about,
    insert: operator === 'in' ? 'in (' : `${operator} `,
  }))
}

function suggestValues(field: string, prefix: string, found: KnownValues['values']): Suggestion[] {
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
  return rankByMatch(all, prefix.toLowerCase(), (text) => text).map((text) => {
    const count = counts.get(text)
    return {
      id: `value ${text}`,
      label: text,
      about: count === undefined ? '' : `${count} calls`,
      insert: `${printValue(inferValue(text))} `,
    }
  })
}

/** Groups arrive as text. Text that looks like a number or boolean becomes one. */
function inferValue(text: string) {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return { kind: 'number', text } as const
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' } as const
  return { kind: 'text', text } as const
}
