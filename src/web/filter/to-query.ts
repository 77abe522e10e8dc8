import { JsonText } from '../../client/browser/json-text.ts'
import type { Filter, Value } from './ast.ts'
import { findField, isInDocument, pathOf } from './fields.ts'

/** A filter as the query language of the server (docs/queries.md). */
export function toQuery(filter: Filter | undefined): JsonText | undefined {
  return filter === undefined ? undefined : JsonText.of({ $expr: expression(filter) })
}

function expression(filter: Filter): object {
  switch (filter.kind) {
    case 'and':
      return { $and: filter.of.map(expression) }
    case 'or':
      return { $or: filter.of.map(expression) }
    case 'not':
      return { $not: [expression(filter.of)] }
    case 'compare': {
      const operands = [field(filter.field), literal(filter.value, isOrder(filter.operator), filter.field)]
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
          input: field(filter.field),
          substr: { $literal: filter.value },
          case_insensitive: true,
        },
      })
    case 'in':
      return negated(filter.isNegated, {
        $in: [field(filter.field), filter.values.map((value) => literal(value, false, filter.field))],
      })
    case 'exists':
      return existence(filter.field, filter.isNegated)
  }
}

function negated(isNegated: boolean, inner: object): object {
  return isNegated ? { $not: [inner] } : inner
}

function isOrder(operator: string): boolean {
  return operator !== '=' && operator !== '!='
}

function field(name: string): object {
  return { $getField: pathOf(name) }
}

/** Columns are null where nothing is set; of documents the server is asked whether there is a value. */
function existence(name: string, isNegated: boolean): object {
  if (isInDocument(pathOf(name))) {
    return { $eq: [{ $convert: { input: field(name), to: 'exists' } }, { $literal: !isNegated }] }
  }
  const isNull = { $eq: [field(name), { $literal: null }] }
  return isNegated ? isNull : { $not: [isNull] }
}

/**
 * The literal says what the server takes a text of a document for. A whole number would ask for whole numbers only, so
 * that `> 5` would miss 5.5: where more or less is asked, it is written with a fraction.
 */
function literal(value: Value, isOrder: boolean, name: string): object {
  switch (value.kind) {
    case 'text':
      return { $literal: value.text }
    case 'boolean':
      return { $literal: value.value }
    case 'duration':
      return { $literal: value.ms }
    case 'number': {
      const isWhole = /^-?\d{1,15}$/.test(value.text)
      const isColumn = findField(name) !== undefined
      return { $literal: new JsonText(isOrder && isWhole && !isColumn ? `${value.text}.0` : value.text) }
    }
  }
}
