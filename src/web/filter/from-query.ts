import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { conjunction, type ComparisonOperator, type Filter, type FilterValue } from './ast.ts'
import { findField, fieldName, isScore } from './fields.ts'

/**
 * Converts an API query to a filter, for pasted queries; `undefined` if filters cannot express it. Numbers are read
 * from the text, so that they keep their digits.
 */
export function fromQuery(text: string): Filter | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const expr = onlyMember(cursorAt(text, 0), '$expr')
  return expr === undefined ? undefined : parseExpression(expr)
}

interface JsonCursor {
  readonly text: string
  readonly at: number
}

function cursorAt(text: string, at: number): JsonCursor {
  return { text, at: skipSpace(text, at) }
}

function getMembers(cursor: JsonCursor): Map<string, JsonCursor> {
  const result = new Map<string, JsonCursor>()
  if (kindAt(cursor.text, cursor.at) !== 'object') return result
  eachChild(cursor.text, cursor.at, (keyAt, valueAt) => {
    result.set(stringAt(cursor.text, keyAt), { text: cursor.text, at: valueAt })
  })
  return result
}

function getItems(cursor: JsonCursor | undefined): JsonCursor[] {
  const result: JsonCursor[] = []
  if (cursor === undefined || kindAt(cursor.text, cursor.at) !== 'array') return result
  eachChild(cursor.text, cursor.at, (_, valueAt) => void result.push({ text: cursor.text, at: valueAt }))
  return result
}

/** The value of the member `name`, if it is the only member of the object. */
function onlyMember(cursor: JsonCursor | undefined, name: string): JsonCursor | undefined {
  if (cursor === undefined) return undefined
  const result = getMembers(cursor)
  return result.size === 1 ? result.get(name) : undefined
}

const COMPARISON_OPERATORS: ReadonlyMap<string, ComparisonOperator> = new Map([
  ['$eq', '='],
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
])

function parseExpression(cursor: JsonCursor): Filter | undefined {
  const [entry, ...others] = getMembers(cursor)
  if (entry === undefined || others.length > 0) return undefined
  const [operator, operand] = entry
  const comparison = COMPARISON_OPERATORS.get(operator)
  if (comparison !== undefined) return parseComparison(comparison, getItems(operand))
  switch (operator) {
    case '$and':
    case '$or': {
      const parts = getItems(operand).map(parseExpression)
      if (parts.length === 0 || parts.includes(undefined)) return undefined
      const operands = parts as Filter[]
      if (operands.length === 1) return operands[0]
      return operator === '$and' ? conjunction(operands) : { kind: 'or', operands: operands }
    }
    case '$not':
      return parseNot(getItems(operand))
    case '$contains': {
      const { input, substr, isCaseInsensitive } = parseContains(operand)
      if (input === undefined || substr?.kind !== 'text' || !isCaseInsensitive) return undefined
      return { kind: 'contains', field: input, value: substr.text, isNegated: false }
    }
    case '$in': {
      const [field, list] = getItems(operand)
      const name = parseField(field)
      const values = getItems(list).map((item) => parseLiteral(item, name ?? ''))
      if (
        name === undefined ||
        values.length === 0 ||
        values.some((value) => value === undefined || value === null)
      )
        return undefined
      return { kind: 'in', field: name, values: values as FilterValue[], isNegated: false }
    }
    default:
      return undefined
  }
}

function parseComparison(
  operator: ComparisonOperator,
  [left, right]: readonly JsonCursor[],
): Filter | undefined {
  const convert = onlyMember(left, '$convert')
  if (convert !== undefined) {
    const { input, to } = parseConvert(convert)
    const expected = parseLiteral(right, '')
    if (to !== 'exists' || input === undefined || operator !== '=' || expected?.kind !== 'boolean')
      return undefined
    return { kind: 'exists', field: input, isNegated: !expected.value }
  }
  const field = parseField(left)
  const value = field === undefined ? undefined : parseLiteral(right, field)
  if (field === undefined || value === undefined) return undefined
  if (value === null) return operator === '=' ? { kind: 'exists', field, isNegated: true } : undefined
  const filterValue =
    operator !== '=' && value.kind === 'number' ? { ...value, text: value.text.replace(/\.0$/, '') } : value
  return { kind: 'compare', field, operator, value: filterValue }
}

/** Uses the negated operator, such as `!=`, where one exists. */
function parseNot(cursors: readonly JsonCursor[]): Filter | undefined {
  const inner = cursors[0] === undefined || cursors.length > 1 ? undefined : parseExpression(cursors[0])
  if (inner === undefined) return undefined
  if (inner.kind === 'compare' && inner.operator === '=') return { ...inner, operator: '!=' }
  if (inner.kind === 'exists' && !inner.isNegated && isMany(inner.field)) return { ...inner, isNegated: true }
  if ((inner.kind === 'contains' || inner.kind === 'in' || inner.kind === 'exists') && canNegate(inner))
    return { ...inner, isNegated: !inner.isNegated }
  return { kind: 'not', operand: inner }
}

function isMany(field: string): boolean {
  return isScore(field) || findField(field)?.type === 'list'
}

function canNegate(inner: Extract<Filter, { kind: 'contains' | 'in' | 'exists' }>): boolean {
  return inner.kind === 'exists' ? inner.isNegated : !inner.isNegated
}

function parseContains(operand: JsonCursor) {
  const parts = getMembers(operand)
  const flag = parts.get('case_insensitive')
  return {
    input: parseField(parts.get('input')),
    substr: parseLiteral(parts.get('substr'), ''),
    isCaseInsensitive: flag !== undefined && flag.text.startsWith('true', flag.at),
  }
}

function parseConvert(operand: JsonCursor) {
  const parts = getMembers(operand)
  const to = parts.get('to')
  return { input: parseField(parts.get('input')), to: to === undefined ? undefined : stringValue(to) }
}

function parseField(cursor: JsonCursor | undefined): string | undefined {
  const path = onlyMember(cursor, '$getField')
  const name = path === undefined ? undefined : stringValue(path)
  return name === undefined ? undefined : fieldName(name)
}

function stringValue(cursor: JsonCursor): string | undefined {
  return kindAt(cursor.text, cursor.at) === 'string' ? stringAt(cursor.text, cursor.at) : undefined
}

/** `null` for null; `undefined` if the node is not a literal that filters support. */
function parseLiteral(cursor: JsonCursor | undefined, field: string): FilterValue | null | undefined {
  const value = onlyMember(cursor, '$literal')
  if (value === undefined) return undefined
  const json = value.text.slice(value.at, skipValue(value.text, value.at))
  switch (kindAt(value.text, value.at)) {
    case 'string':
      return { kind: 'text', text: stringAt(value.text, value.at) }
    case 'number':
      return findField(field)?.type === 'duration'
        ? { kind: 'duration', ms: Number(json) }
        : { kind: 'number', text: json }
    case 'boolean':
      return { kind: 'boolean', value: json === 'true' }
    case 'null':
      return null
    default:
      return undefined
  }
}
