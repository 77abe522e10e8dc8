import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { allOf, type Comparison, type Filter, type Value } from './ast.ts'
import { findField, nameOf } from './fields.ts'

/**
 * A query of the server as a filter, for those who paste one; undefined if it says what filters cannot. Numbers are read
 * from the text, so that they keep their digits.
 */
export function fromQuery(text: string): Filter | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const expr = only(nodeAt(text, 0), '$expr')
  return expr === undefined ? undefined : filterOf(expr)
}

interface Node {
  readonly text: string
  readonly at: number
}

function nodeAt(text: string, at: number): Node {
  return { text, at: skipSpace(text, at) }
}

function members(node: Node): Map<string, Node> {
  const found = new Map<string, Node>()
  if (kindAt(node.text, node.at) !== 'object') return found
  eachChild(node.text, node.at, (keyAt, valueAt) => {
    found.set(stringAt(node.text, keyAt), { text: node.text, at: valueAt })
  })
  return found
}

function items(node: Node | undefined): Node[] {
  const found: Node[] = []
  if (node === undefined || kindAt(node.text, node.at) !== 'array') return found
  eachChild(node.text, node.at, (_, valueAt) => void found.push({ text: node.text, at: valueAt }))
  return found
}

/** The value of the one member that an object has, if that is its name. */
function only(node: Node | undefined, name: string): Node | undefined {
  if (node === undefined) return undefined
  const found = members(node)
  return found.size === 1 ? found.get(name) : undefined
}

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ['$eq', '='],
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
])

function filterOf(node: Node): Filter | undefined {
  const [entry, ...others] = members(node)
  if (entry === undefined || others.length > 0) return undefined
  const [operator, operand] = entry
  const comparison = COMPARISONS.get(operator)
  if (comparison !== undefined) return comparisonOf(comparison, items(operand))
  switch (operator) {
    case '$and':
    case '$or': {
      const parts = items(operand).map(filterOf)
      if (parts.length === 0 || parts.includes(undefined)) return undefined
      const all = parts as Filter[]
      if (all.length === 1) return all[0]
      return operator === '$and' ? allOf(all) : { kind: 'or', of: all }
    }
    case '$not':
      return notOf(items(operand))
    case '$contains': {
      const { input, substr, isCaseInsensitive } = containsOf(operand)
      if (input === undefined || substr?.kind !== 'text' || !isCaseInsensitive) return undefined
      return { kind: 'contains', field: input, value: substr.text, isNegated: false }
    }
    case '$in': {
      const [field, list] = items(operand)
      const name = fieldOf(field)
      const values = items(list).map((item) => literalOf(item, name ?? ''))
      if (
        name === undefined ||
        values.length === 0 ||
        values.some((value) => value === undefined || value === null)
      )
        return undefined
      return { kind: 'in', field: name, values: values as Value[], isNegated: false }
    }
    default:
      return undefined
  }
}

function comparisonOf(operator: Comparison, [left, right]: readonly Node[]): Filter | undefined {
  const asked = only(left, '$convert')
  if (asked !== undefined) {
    const { input, to } = convertOf(asked)
    const wanted = literalOf(right, '')
    if (to !== 'exists' || input === undefined || operator !== '=' || wanted?.kind !== 'boolean')
      return undefined
    return { kind: 'exists', field: input, isNegated: !wanted.value }
  }
  const field = fieldOf(left)
  const value = field === undefined ? undefined : literalOf(right, field)
  if (field === undefined || value === undefined) return undefined
  if (value === null) return operator === '=' ? { kind: 'exists', field, isNegated: true } : undefined
  const shown =
    operator !== '=' && value.kind === 'number' ? { ...value, text: value.text.replace(/\.0$/, '') } : value
  return { kind: 'compare', field, operator, value: shown }
}

/** `$not` of what has a word of its own is that word. */
function notOf(nodes: readonly Node[]): Filter | undefined {
  const inner = nodes[0] === undefined || nodes.length > 1 ? undefined : filterOf(nodes[0])
  if (inner === undefined) return undefined
  if (inner.kind === 'compare' && inner.operator === '=') return { ...inner, operator: '!=' }
  if ((inner.kind === 'contains' || inner.kind === 'in' || inner.kind === 'exists') && isTurnable(inner))
    return { ...inner, isNegated: !inner.isNegated }
  return { kind: 'not', of: inner }
}

function isTurnable(inner: Extract<Filter, { kind: 'contains' | 'in' | 'exists' }>): boolean {
  return inner.kind === 'exists' ? inner.isNegated : !inner.isNegated
}

function containsOf(operand: Node) {
  const parts = members(operand)
  const flag = parts.get('case_insensitive')
  return {
    input: fieldOf(parts.get('input')),
    substr: literalOf(parts.get('substr'), ''),
    isCaseInsensitive: flag !== undefined && flag.text.startsWith('true', flag.at),
  }
}

function convertOf(operand: Node) {
  const parts = members(operand)
  const to = parts.get('to')
  return { input: fieldOf(parts.get('input')), to: to === undefined ? undefined : textOf(to) }
}

function fieldOf(node: Node | undefined): string | undefined {
  const path = only(node, '$getField')
  const name = path === undefined ? undefined : textOf(path)
  return name === undefined ? undefined : nameOf(name)
}

function textOf(node: Node): string | undefined {
  return kindAt(node.text, node.at) === 'string' ? stringAt(node.text, node.at) : undefined
}

/** null for null; undefined for what is no literal, or none that filters have. */
function literalOf(node: Node | undefined, field: string): Value | null | undefined {
  const value = only(node, '$literal')
  if (value === undefined) return undefined
  const spelled = value.text.slice(value.at, skipValue(value.text, value.at))
  switch (kindAt(value.text, value.at)) {
    case 'string':
      return { kind: 'text', text: stringAt(value.text, value.at) }
    case 'number':
      return findField(field)?.type === 'duration'
        ? { kind: 'duration', ms: Number(spelled) }
        : { kind: 'number', text: spelled }
    case 'boolean':
      return { kind: 'boolean', value: spelled === 'true' }
    case 'null':
      return null
    default:
      return undefined
  }
}
