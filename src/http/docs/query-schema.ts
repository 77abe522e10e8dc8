import {
  CALL_FIELDS,
  COST_FIELDS,
  EVALUATION_FIELDS,
  FEEDBACK_FIELDS,
  fieldPattern,
  type QueryFields,
  SPAN_FIELDS,
} from '../../contract/query.ts'

/** The grammar of queries as JSON Schema, for the OpenAPI document, and as text, for the reference. */

interface Operator {
  readonly name: string
  readonly shape: string
  readonly meaning: string
  /** A condition can stand at the top level of `$expr`; a value only inside of one. */
  readonly kind: 'condition' | 'value'
  readonly schema: (resource: Resource) => object
}

interface Resource {
  readonly operand: object
  readonly field: object
}

const two = ({ operand }: Resource): object => ({ type: 'array', items: operand, minItems: 2, maxItems: 2 })
const several = ({ operand }: Resource): object => ({ type: 'array', items: operand, minItems: 1 })

/** Every operator of the query language, as core/query/parse.ts reads them. */
export const OPERATORS: readonly Operator[] = [
  {
    name: '$literal',
    shape: '{"$literal": 0.5}',
    meaning: 'a constant: any JSON value; its type decides how the other side is read',
    kind: 'value',
    schema: () => ({}),
  },
  {
    name: '$getField',
    shape: '{"$getField": "inputs.user.name"}',
    meaning: 'a field; `.` leads into documents, `\\.` is a dot in a key, a number is an array index',
    kind: 'value',
    schema: ({ field }) => field,
  },
  {
    name: '$convert',
    shape: '{"$convert": {"input": a, "to": "double"}}',
    meaning: 'reads a value as double, string, int or bool, or tests whether it exists',
    kind: 'value',
    schema: ({ operand }) => ({
      type: 'object',
      required: ['input', 'to'],
      properties: { input: operand, to: { type: 'string', enum: CONVERSIONS } },
      additionalProperties: false,
    }),
  },
  {
    name: '$size',
    shape: '{"$size": a}',
    meaning: 'items of an array, members of an object, characters of a text',
    kind: 'value',
    schema: ({ operand }) => operand,
  },
  { name: '$and', shape: '{"$and": [a, b, …]}', meaning: 'all hold', kind: 'condition', schema: several },
  {
    name: '$or',
    shape: '{"$or": [a, b, …]}',
    meaning: 'at least one holds',
    kind: 'condition',
    schema: several,
  },
  {
    name: '$not',
    shape: '{"$not": [a]}',
    meaning: 'does not hold',
    kind: 'condition',
    schema: ({ operand }) => ({ type: 'array', items: operand, minItems: 1, maxItems: 1 }),
  },
  { name: '$eq', shape: '{"$eq": [a, b]}', meaning: 'equal', kind: 'condition', schema: two },
  { name: '$gt', shape: '{"$gt": [a, b]}', meaning: 'greater', kind: 'condition', schema: two },
  { name: '$lt', shape: '{"$lt": [a, b]}', meaning: 'less', kind: 'condition', schema: two },
  { name: '$gte', shape: '{"$gte": [a, b]}', meaning: 'greater or equal', kind: 'condition', schema: two },
  { name: '$lte', shape: '{"$lte": [a, b]}', meaning: 'less or equal', kind: 'condition', schema: two },
  {
    name: '$in',
    shape: '{"$in": [a, [b, c, …]]}',
    meaning: 'equal to one of the list',
    kind: 'condition',
    schema: ({ operand }) => ({
      type: 'array',
      prefixItems: [operand, { type: 'array', items: operand }],
      minItems: 2,
      maxItems: 2,
    }),
  },
  {
    name: '$contains',
    shape: '{"$contains": {"input": a, "substr": b, "case_insensitive": true}}',
    meaning: 'contains the text; in a list column, one of its items',
    kind: 'condition',
    schema: ({ operand }) => ({
      type: 'object',
      required: ['input', 'substr'],
      properties: {
        input: operand,
        substr: operand,
        case_insensitive: { type: ['boolean', 'null'], default: false },
      },
      additionalProperties: false,
    }),
  },
]

const CONVERSIONS = ['double', 'string', 'int', 'bool', 'exists']

export const QUERY_EXAMPLE = `{"$expr": {"$and": [
  {"$eq": [{"$getField": "inputs.model"}, {"$literal": "gpt-4o"}]},
  {"$gt": [{"$getField": "output.score"}, {"$literal": 0.5}]}
]}}`

/** Components of the OpenAPI document. */
export const QUERY_COMPONENTS: Readonly<Record<string, object>> = {
  ...queryComponents('Call', 'calls', CALL_FIELDS),
  ...queryComponents('Feedback', 'feedback', FEEDBACK_FIELDS),
  ...queryComponents('Cost', 'prices', COST_FIELDS),
  ...queryComponents('Evaluation', 'results of evaluations', EVALUATION_FIELDS),
  ...queryComponents('Span', 'spans', SPAN_FIELDS),
  ...purgeComponents(),
}

function queryComponents(name: string, plural: string, fields: QueryFields): Record<string, object> {
  const field = { type: 'string', pattern: fieldPattern(fields) }
  const resource = { operand: component(`${name}Operand`), field }
  const byKind = (kind: Operator['kind']): object[] =>
    OPERATORS.filter((operator) => operator.kind === kind).map((operator) =>
      node(operator.name, operator.schema(resource), operator.meaning),
    )
  return {
    [`${name}Query`]: queryOf(`${name}Condition`, `A condition over fields of ${plural}.`),
    [`${name}Condition`]: { oneOf: byKind('condition') },
    [`${name}Operand`]: { oneOf: [component(`${name}Condition`), ...byKind('value')] },
  }
}

/** A purge lists ids; any wider condition is rejected, so that a mistake cannot empty a project. */
function purgeComponents(): Record<string, object> {
  const id = node('$getField', { const: 'id' })
  const literal = node('$literal', { type: 'string' })
  const pair = (second: object): object => ({
    type: 'array',
    prefixItems: [id, second],
    minItems: 2,
    maxItems: 2,
  })
  return {
    PurgeQuery: queryOf('PurgeCondition', 'The ids of records: `$eq`, `$in`, or an `$or` of these.'),
    PurgeCondition: {
      oneOf: [
        node('$eq', pair(literal)),
        node('$in', pair({ type: 'array', items: literal })),
        node('$or', { type: 'array', items: component('PurgeCondition'), minItems: 1 }),
      ],
    },
  }
}

function queryOf(condition: string, description: string): object {
  return {
    type: 'object',
    description,
    required: ['$expr'],
    properties: { $expr: component(condition) },
    additionalProperties: false,
  }
}

/** An object with one operator as its only key. */
function node(operator: string, schema: object, meaning?: string): object {
  return {
    type: 'object',
    ...(meaning === undefined ? {} : { description: meaning }),
    required: [operator],
    properties: { [operator]: schema },
    additionalProperties: false,
  }
}

function component(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}
