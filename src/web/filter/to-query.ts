import { JsonText } from '../../client/browser/json-text.ts'
import type { Filter, FilterValue } from './ast.ts'
import { findField, isInDocument, isScore, fieldPath } from './fields.ts'

/** Converts a filter to an API query (docs/queries.md). */
export function toQuery(filter: Filter | undefined): JsonText | undefined {
  return filter === undefined ? undefined : JsonText.of({ $expr: expression(filter) })
}

function expression(filter: Filter): object {
  switch (filter.kind) {
    case 'and':
      return { $and: filter.operands.map(expression) }
    case 'or':
      return { $or: filter.operands.map(expression) }
    case 'not':
      return { $not: [expression(filter.operand)] }
    case 'compare': {
      const name = opField(filter.field, filter.value)
      const operands = [field(name), literal(filter.value, isOrdering(filter.operator), name)]
      switch (filter.operator) {
        case '=':
          return { $eq: operands }
        case '!=':
          return { $not: [{ $eq: operands }] }
        case '>':
          return { $gt: operands }
        case '>=':
          return { $gte: operands }
        case '<':
          return { $lt: operands }
        case '<=':
          return { $lte: operands }
      }
      break
    }
    case 'contains':
      return negated(filter.isNegated, {
        $contains: {
          input: field(opField(filter.field, { kind: 'text', text: filter.value })),
          substr: { $literal: filter.value },
          case_insensitive: true,
        },
      })
    case 'in':
      return negated(filter.isNegated, {
        $in: [
          field(opField(filter.field, ...filter.values)),
          filter.values.map((value) => literal(value, false, filter.field)),
        ],
      })
    case 'exists':
      return existence(filter.field, filter.isNegated)
  }
}

function negated(isNegated: boolean, inner: object): object {
  return isNegated ? { $not: [inner] } : inner
}

function isOrdering(operator: string): boolean {
  return operator !== '=' && operator !== '!='
}

function field(name: string): object {
  return { $getField: fieldPath(name) }
}

/** `op` is the name of the op. Its ref, with project and version, is in the column `op_name`. */
function opField(name: string, ...values: readonly FilterValue[]): string {
  const isRef = values.some((value) => value.kind === 'text' && /^weave:\/\/\/|\/op\//.test(value.text))
  return name === 'op' && isRef ? 'op_name' : name
}

/** Columns are null without a value. Values of documents and lists have a conversion for their existence. */
function existence(name: string, isNegated: boolean): object {
  const path = fieldPath(name)
  const exists = (expected: boolean): object => ({
    $eq: [{ $convert: { input: field(name), to: 'exists' } }, { $literal: expected }],
  })
  if (isInDocument(path)) return exists(!isNegated)
  // A condition on a list or a score holds only for calls with a value.
  if (isScore(path) || findField(name)?.type === 'list') return negated(isNegated, exists(true))
  const isNull = { $eq: [field(name), { $literal: null }] }
  return isNegated ? isNull : { $not: [isNull] }
}

/**
 * The type of the literal decides how the server reads document values. An integer literal matches only integers, so
 * `> 5` would miss 5.5. Ordering comparisons therefore use a decimal literal.
 */
function literal(value: FilterValue, isOrdering: boolean, name: string): object {
  switch (value.kind) {
    case 'text':
      return { $literal: value.text }
    case 'boolean':
      return { $literal: value.value }
    case 'duration':
      return { $literal: value.ms }
    case 'number': {
      const isInteger = /^-?\d{1,15}$/.test(value.text)
      const isColumn = findField(name) !== undefined
      return { $literal: new JsonText(isOrdering && isInteger && !isColumn ? `${value.text}.0` : value.text) }
    }
  }
}
