import fc from 'fast-check'

/** Rows and queries with the odd values that a query language gets wrong. */

export interface PlainRow {
  readonly id: string
  readonly parent_id: string
  readonly op_name: string
  readonly started_at: bigint
  readonly ended_at: bigint | null
  readonly exception: string | null
  readonly wb_run_step: number | null
  readonly input_refs: readonly string[]
  readonly inputs: string
  readonly output: string
}

const NUMBERS = [
  '0', '1', '-1', '5', '42', '255', '256', '-0', '0.5', '1.0', '5.0', '5.5', '-0.0', '1e3', '1E3', '1e20', '1e21',
  '1e30', '1e-7', '1e-8', '0.000001', '123456.789', '9007199254740993', '9223372036854775807', '9223372036854775808',
  '-9223372036854775808', '-9223372036854775809', '18446744073709551615', '18446744073709551616',
  '123456789012345678901234567890', '1e400', '-1e400', '1700000000', '0.1', '0.30000000000000004', '1.5e300',
] // prettier-ignore

const WORDS = [
  '', 'a', 'b', 'abc', 'ABC', 'é', 'É', 'straße', '😀', '日本', 'true', 'false', 'True', 'null', '0', '1', '5', '5.0', '-0',
  '+5', ' 5', '5 ', '1e3', '.5', '5.', 'nan', 'inf', '-inf', '0x10', '256', '255', "it's", '"quoted"', 'back\\slash',
  'a\u0000b', 'line\nbreak\ttab', '%_', '{}', '[]', '{"a":1}', '\ud800', 'x\udc00y', '\u007f\u0001', '2023-11-14', '/',
] // prettier-ignore

const KEYS = ['a', 'b', '0', '1', '__proto__', 'constructor', 'é', 'a.b', 'x y', '[a]', '10']

const jsonNumber = fc.constantFrom(...NUMBERS)
const jsonWord = fc.constantFrom(...WORDS).map((word) => JSON.stringify(word))
const scalar = fc.oneof(
  { weight: 3, arbitrary: jsonNumber },
  { weight: 3, arbitrary: jsonWord },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).map((word) => JSON.stringify(word)) },
)

const { value: jsonValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    objectOf(tie('value')),
  ),
}))

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(fc.constantFrom(...KEYS), value)
  return fc
    .uniqueArray(member, { maxLength: 4, selector: ([key]) => key })
    .map((members) => `{ ${members.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(' , ')} }`)
}

const REFS = ['weave:///a/b/object/x:1', 'weave:///a/b/object/É:2', 'weave:///a/b/object/é:2']
const micros = fc.bigInt({ min: 1_699_999_999_000_000n, max: 1_700_000_001_000_000n })
const clock = fc.oneof(micros, fc.constantFrom(1_700_000_000_000_000n, 1_699_920_000_000_000n))

export const anyRow: fc.Arbitrary<PlainRow> = fc.record({
  id: fc.uuid(),
  parent_id: fc.constantFrom('', 'p1', 'p2', '5'),
  op_name: fc.constantFrom('predict', 'weave:///a/b/op/predict:v1', 'Évaluer'),
  started_at: clock,
  ended_at: fc.option(clock),
  exception: fc.constantFrom(null, null, '', 'boom', 'Error: É'),
  wb_run_step: fc.constantFrom(null, 0, 1, 5, 300),
  input_refs: fc.subarray(REFS),
  inputs: objectOf(jsonValue),
  output: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 4, arbitrary: jsonValue }),
})

const COLUMNS = ['id', 'parent_id', 'op_name', 'exception', 'wb_run_step', 'input_refs']
const escaped = fc.constantFrom(...KEYS).map((key) => key.replaceAll('.', '\\.'))
const jsonField = fc
  .tuple(fc.constantFrom('inputs', 'inputs', 'output'), fc.array(escaped, { maxLength: 3 }))
  .map((parts) => parts.flat().join('.'))

export const anyField = fc.oneof(
  { weight: 4, arbitrary: jsonField },
  {
    weight: 1,
    arbitrary: fc.constantFrom('started_at', 'ended_at', ...COLUMNS.filter((name) => name !== 'input_refs')),
  },
)

const literal = fc
  .oneof({ weight: 8, arbitrary: scalar }, { weight: 1, arbitrary: jsonValue })
  .map((text) => `{"$literal": ${text}}`)
const getField = (name: string): string => `{"$getField": ${JSON.stringify(name)}}`
const untimed = fc.oneof(
  { weight: 4, arbitrary: jsonField.map(getField) },
  { weight: 1, arbitrary: fc.constantFrom(...COLUMNS).map(getField) },
)

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

const sign = fc.constantFrom('$eq', '$eq', '$gt', '$lt', '$gte', '$lte')
const timeLiteral = fc
  .constantFrom(
    '1700000000',
    '1700000000.25',
    '"2023-11-14"',
    '"2023-11-14T22:13:20Z"',
    '"2023-11-14T22:13:20.500001+00:00"',
    '1e400',
    '-5',
    'null',
    '"soon"',
    '123456789012345678901',
    '"1700000000"',
  ) // prettier-ignore
  .map((text) => `{"$literal": ${text}}`)

const predicate = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(sign, operand, fc.oneof(literal, operand))
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
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        sign,
        fc.constantFrom('started_at', 'ended_at'),
        fc.oneof(timeLiteral, fc.constantFrom('started_at', 'ended_at').map(getField)),
      )
      .map(([op, name, b]) => `{"${op}": [${getField(name)}, ${b}]}`),
  },
  { weight: 1, arbitrary: operand },
)

/** 1 to 6 predicates under `$and`, `$or` and `$not`. */
export const anyQuery = fc
  .tuple(
    fc.array(fc.tuple(predicate, fc.boolean()), { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.constantFrom('$and', '$or'), fc.boolean()), { minLength: 6, maxLength: 6 }),
  )
  .map(([predicates, joints]) => {
    const negate = (text: string, not: boolean): string => (not ? `{"$not": [${text}]}` : text)
    const [first, ...rest] = predicates.map(([text, not]) => negate(text, not))
    const joined = rest.reduce(
      (text, next, i) => negate(`{"${joints[i]![0]}": [${text}, ${next}]}`, joints[i]![1]),
      first!,
    )
    return `{"$expr": {"$and": [${joined}]}}`
  })
