import {
  anyOf,
  flag,
  float,
  instanceOf,
  integer,
  list,
  map,
  named,
  nothing,
  type ObjectClass,
  oneOf,
  text,
  tuple,
  type ValueType,
} from './value-types.ts'

/** The query of a saved view as Weave stores it: each operation is an object of a class. */

const BASE = ['BaseModel']

const part = (name: string): ValueType => instanceOf(name, () => CLASSES[name]!)

/** An operation of a query has one field, of the same name as the operator. */
function operator(key: string, type: ValueType): ObjectClass {
  return { bases: BASE, fields: { [key]: { type, otherKey: `${key.slice(1)}_` } } }
}
const CONDITIONS = 'And Or Not Eq Gt Lt Gte Lte In Contains'
  .split(' ')
  .map((name) => part(`${name}Operation`))
const condition = named('an operation such as {"$eq": […]}', ...CONDITIONS)
const operand = named(
  'an operand such as {"$getField": …} or {"$literal": …}',
  ...['LiteralOperation', 'GetFieldOperator', 'ConvertOperation', 'SizeOperation'].map(part),
  ...CONDITIONS,
)
const literal = part('LiteralOperation')

const CLASSES: Readonly<Record<string, ObjectClass>> = {
  Query: { bases: BASE, isClosed: true, fields: { $expr: { type: condition, otherKey: 'expr_' } } },
  LiteralOperation: operator(
    '$literal',
    anyOf(text, integer, float, flag, map(literal), list(literal), nothing),
  ),
  GetFieldOperator: operator('$getField', text),
  ConvertOperation: operator('$convert', part('ConvertSpec')),
  ConvertSpec: {
    bases: BASE,
    fields: { input: operand, to: oneOf('double', 'string', 'int', 'bool', 'exists') },
  },
  SizeOperation: operator('$size', operand),
  AndOperation: operator('$and', list(operand)),
  OrOperation: operator('$or', list(operand)),
  NotOperation: operator('$not', tuple(operand)),
  EqOperation: operator('$eq', tuple(operand, operand)),
  GtOperation: operator('$gt', tuple(operand, operand)),
  LtOperation: operator('$lt', tuple(operand, operand)),
  GteOperation: operator('$gte', tuple(operand, operand)),
  LteOperation: operator('$lte', tuple(operand, operand)),
  InOperation: operator('$in', tuple(operand, list(operand))),
  ContainsOperation: operator('$contains', part('ContainsSpec')),
  ContainsSpec: {
    bases: BASE,
    fields: {
      input: operand,
      substr: operand,
      case_insensitive: { type: anyOf(flag, nothing), fallback: 'false' },
    },
  },
}

export const storedQuery = part('Query')
