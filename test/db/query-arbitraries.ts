import fc from 'fast-check'
import { anyValue, KEYS, scalar } from './json-arbitraries.ts'

/** Random queries about stored calls. Most fields and literals are taken from the calls, so that they match some. */

const COLUMNS = [
  'id', 'trace_id', 'parent_id', 'thread_id', 'turn_id', 'op_name', 'display_name', 'exception', 'wb_run_id', 'wb_run_step',
  'wb_run_step_end', 'status', 'op', 'thread', 'error_type', 'provider', 'input_tokens', 'output_tokens', 'total_tokens',
  'time_to_first_token', 'end_user', 'session', 'environment', 'summary.weave.status', 'summary.weave.latency_ms', 'summary.weave.trace_name',
] // prettier-ignore
const LISTS = ['input_refs', 'output_refs']
const TIMES = ['started_at', 'ended_at']
/** Of several values any may match. */
const ANY = ['model', 'tags']
const NOTES = [
  'feedback.[wandb.note.1].payload.note',
  'feedback.[wandb.note.1].payload',
  'feedback.[*].payload.note',
]

/** A value in the calls of a data set, as JSON, and its field. */
export interface FieldValue {
  readonly field: string
  readonly json: string
}

const escaped = fc.constantFrom(...KEYS).map((key) => key.replaceAll('.', String.raw`\.`))
const guessedField = fc
  .tuple(
    fc.constantFrom('inputs', 'inputs', 'output', 'attributes', 'summary'),
    fc.array(escaped, { maxLength: 4 }),
  )
  .map((parts) => parts.flat().join('.'))

const getField = (name: string): string => `{"$getField": ${JSON.stringify(name)}}`

/** Fields to sort by. */
export function fieldsOver(fieldValues: readonly FieldValue[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...fieldValues).map(({ field }) => field) },
    { weight: 1, arbitrary: guessedField },
    { weight: 2, arbitrary: fc.constantFrom(...TIMES, ...COLUMNS, ...NOTES, ...ANY) },
  )
}

const operator = fc.constantFrom('$eq', '$eq', '$gt', '$lt', '$gte', '$lte')
const timeLiteral = fc
  .constantFrom(
    '1700000000',
    '1700000000.25',
    '"2023-11-14"',
    '"2023-11-14T22:13:20Z"',
    '"2023-11-14T22:13:20.500001+00:00"',
    '-5',
    'null',
    '"1700000000"',
  ) // prettier-ignore
  .map((text) => `{"$literal": ${text}}`)

/** 1 to 6 predicates under `$and`, `$or` and `$not`. */
export function queriesOver(fieldValues: readonly FieldValue[]): fc.Arbitrary<string> {
  const fieldValue = fc.constantFrom(...fieldValues)
  const literal = fc
    .oneof(
      { weight: 8, arbitrary: fieldValue.map(({ json }) => json) },
      { weight: 6, arbitrary: scalar },
      { weight: 1, arbitrary: anyValue },
    )
    .map((text) => `{"$literal": ${text}}`)
  const untimed = fc
    .oneof(
      { weight: 4, arbitrary: fieldValue.map(({ field }) => field) },
      { weight: 2, arbitrary: guessedField },
      { weight: 2, arbitrary: fc.constantFrom(...COLUMNS, ...LISTS) },
    )
    .map(getField)

  const { operand } = fc.letrec<{ operand: string }>((tie) => ({
    operand: fc.oneof(
      { maxDepth: 3 },
      { weight: 6, arbitrary: untimed },
      { weight: 3, arbitrary: literal },
      {
        weight: 2,
        arbitrary: fc
          .tuple(tie('operand'), fc.constantFrom('double', 'string', 'int', 'bool', 'exists'))
          .map(([input, to]) => `{"$convert": {"input": ${input}, "to": "${to}"}}`),
      },
      { weight: 1, arbitrary: tie('operand').map((input) => `{"$size": ${input}}`) },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('operand'), tie('operand')).map(([a, b]) => `{"$eq": [${a}, ${b}]}`),
      },
    ),
  }))

  const predicate = fc.oneof(
    {
      // A field with the value that one of the calls has there.
      weight: 8,
      arbitrary: fc
        .tuple(operator, fieldValue)
        .map(([op, { field, json }]) => `{"${op}": [${getField(field)}, {"$literal": ${json}}]}`),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(operator, operand, fc.oneof(literal, operand))
        .map(([op, a, b]) => `{"${op}": [${a}, ${b}]}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          operand,
          fc.array(fc.oneof({ weight: 9, arbitrary: literal }, { weight: 1, arbitrary: operand }), {
            maxLength: 5,
          }),
        )
        .map(([input, list]) => `{"$in": [${input}, [${list.join(', ')}]]}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(operand, fc.oneof(literal, operand), fc.boolean())
        .map(([a, b, ci]) => `{"$contains": {"input": ${a}, "substr": ${b}, "case_insensitive": ${ci}}}`),
    },
    { weight: 2, arbitrary: fieldValue.chain(containsPart) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          operator,
          fc.constantFrom(...TIMES),
          fc.oneof(timeLiteral, fc.constantFrom(...TIMES).map(getField)),
        )
        .map(([op, name, b]) => `{"${op}": [${getField(name)}, ${b}]}`),
    },
    { weight: 2, arbitrary: manyPredicate(literal) },
    { weight: 1, arbitrary: operand },
  )

  return fc
    .tuple(
      fc
        .constantFrom(1, 1, 2, 2, 3, 6)
        .chain((maxLength) => fc.array(fc.tuple(predicate, fc.boolean()), { minLength: 1, maxLength })),
      fc.array(fc.tuple(fc.constantFrom('$and', '$or'), fc.boolean()), { minLength: 6, maxLength: 6 }),
    )
    .map(([predicates, connectors]) => {
      const negate = (text: string, not: boolean): string => (not ? `{"$not": [${text}]}` : text)
      const [first, ...rest] = predicates.map(([text, not]) => negate(text, not))
      const joined = rest.reduce(
        (text, next, i) => negate(`{"${connectors[i]![0]}": [${text}, ${next}]}`, connectors[i]![1]),
        first!,
      )
      return `{"$expr": {"$and": [${joined}]}}`
    })
}

/** Whether the field, or the document that it is in, contains a part of the value. */
function containsPart({ field, json }: FieldValue): fc.Arbitrary<string> {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json
  return fc
    .tuple(fc.nat(400), fc.integer({ min: 1, max: 12 }), fc.boolean(), fc.boolean())
    .map(([from, length, isWhole, ignoresCase]) => {
      const start = from % (text.length + 1)
      const part = text.slice(start, start + length).toWellFormed()
      const input = getField(isWhole ? (field.split('.')[0] ?? field) : field)
      return `{"$contains": {"input": ${input}, "substr": {"$literal": ${JSON.stringify(part)}}, "case_insensitive": ${ignoresCase}}}`
    })
}

/** Feedback and lists are compared with literals only. */
function manyPredicate(literal: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const field = fc.constantFrom(...NOTES, ...ANY).map(getField)
  const input = fc.oneof(
    { weight: 3, arbitrary: field },
    { weight: 1, arbitrary: field.map((note) => `{"$size": ${note}}`) },
    { weight: 1, arbitrary: field.map((note) => `{"$convert": {"input": ${note}, "to": "exists"}}`) },
  )
  return fc.oneof(
    fc.tuple(operator, input, literal).map(([op, a, b]) => `{"${op}": [${a}, ${b}]}`),
    fc
      .tuple(input, fc.array(literal, { maxLength: 3 }))
      .map(([a, list]) => `{"$in": [${a}, [${list.join(', ')}]]}`),
    fc.tuple(input, literal).map(([a, b]) => `{"$contains": {"input": ${a}, "substr": ${b}}}`),
  )
}
