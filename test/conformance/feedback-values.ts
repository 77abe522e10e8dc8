import type { Api } from './api.ts'
import { checkDecision, once } from './check.ts'
import { same } from './expect.ts'
import { queryFeedback } from './feedback-records.ts'
import { feedbackBody } from './fixtures.ts'

/** Section 9: values inside a payload, which Heddle returns as stored and compares by their JSON type. */
const QUERY = 'feedback/query'

/** As text, because this program would change some of them. */
const VALUES: Readonly<Record<string, string>> = {
  three: '3',
  three_float: '3.0',
  three_text: '"3"',
  negative: '-7',
  zero: '0',
  half: '1.5',
  exponent: '1e5',
  large: '12345678901234567890',
  long: '0.1000000000000000055511151231257827',
  yes: 'true',
  no: 'false',
  yes_text: '"true"',
  none: 'null',
  none_text: '"null"',
  empty: '""',
  quoted: String.raw`"q\"uo"`,
  unicode: '"日本🎉"',
  list: '[1,2]',
  no_list: '[]',
  object: '{"a":[1,{"b":null}]}',
  no_object: '{}',
  absent: '',
}

/** One record for each value; the type names it. */
const stored = once(async (api) => {
  const prefix = api.name('value-')
  for (const [name, value] of Object.entries(VALUES)) {
    const payload = name === 'absent' ? '{"w":3}' : `{"v":${value}}`
    const body = JSON.stringify(feedbackBody(api, { feedback_type: prefix + name, payload: null }))
    const { status } = await api.send(
      '/feedback/replace',
      body.replace('"payload":null', `"payload":${payload}`),
    )
    same(status, 200, 'status')
  }
  return prefix
})

const ofThisRun = (prefix: string) =>
  `{"$contains":{"input":{"$getField":"feedback_type"},"substr":{"$literal":${JSON.stringify(prefix)}}}}`

/** The names of the values for which a condition holds. */
async function matching(api: Api, condition: string): Promise<string[]> {
  const prefix = await stored(api)
  const body = `{"project_id":${JSON.stringify(api.project_id)},"fields":["feedback_type"],"query":{"$expr":{"$and":[${ofThisRun(prefix)},${condition}]}}}`
  const { result } = await api.post('/feedback/query', body)
  return (result as { feedback_type: string }[])
    .map((each) => each.feedback_type.slice(prefix.length))
    .toSorted()
}

for (const [name, value] of Object.entries(VALUES)) {
  const expected = value === '' ? 'null' : value
  checkDecision(
    '9.7',
    QUERY,
    `fields [payload.v]: ${value || 'a missing key'} is returned as ${expected}`,
    async (api) => {
      const prefix = await stored(api)
      const { text } = await api.send('/feedback/query', {
        project_id: api.project_id,
        fields: ['payload.v'],
        query: { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: prefix + name }] } },
      })
      same(/"payload\.v":\s*(.*)\}\s*\]/s.exec(text)?.[1], expected, 'text of the value')
    },
  )
}

const V = '{"$getField":"payload.v"}'
const COMPARISONS: readonly (readonly [operator: string, literal: string, expected: readonly string[]])[] = [
  ['$eq', '3', ['three', 'three_float']],
  ['$eq', '"3"', ['three_text']],
  ['$eq', 'true', ['yes']],
  ['$eq', '"true"', ['yes_text']],
  ['$eq', '0', ['zero']],
  ['$eq', '""', ['empty']],
  ['$eq', 'null', ['absent', 'none']],
  ['$eq', '12345678901234567890', ['large']],
  ['$gt', '1', ['exponent', 'half', 'large', 'three', 'three_float']],
  ['$lte', '1.5', ['half', 'long', 'negative', 'zero']],
]
for (const [operator, literal, expected] of COMPARISONS) {
  checkDecision(
    '9.8',
    QUERY,
    `query ${operator} of payload.<key> and ${literal} compares by type`,
    async (api) =>
      same(await matching(api, `{"${operator}":[${V},{"$literal":${literal}}]}`), expected, 'values'),
  )
}
checkDecision('9.8', QUERY, 'query $in of payload.<key> compares by type', async (api) =>
  same(
    await matching(api, `{"$in":[${V},[{"$literal":3},{"$literal":"true"},{"$literal":false}]]}`),
    ['no', 'three', 'three_float', 'yes_text'],
    'values',
  ),
)
for (const direction of ['asc', 'desc']) {
  checkDecision(
    '9.9',
    QUERY,
    `sort_by payload.<key> ${direction}: numbers first, by value; null and missing last`,
    async (api) => {
      const prefix = await stored(api)
      const found = await queryFeedback(api, {
        fields: ['feedback_type'],
        query: { $expr: JSON.parse(ofThisRun(prefix)) as unknown },
        sort_by: [{ field: 'payload.v', direction }],
      })
      const names = found.map((each) => (each['feedback_type'] as string).slice(prefix.length))
      const numbers = ['negative', 'zero', 'long', 'half', 'three', 'three_float', 'exponent', 'large']
      const ordered = names.slice(0, numbers.length).filter((name) => name !== 'three_float')
      const expected = numbers.filter((name) => name !== 'three_float')
      same(ordered, direction === 'asc' ? expected : expected.toReversed(), 'numbers')
      same(names.slice(-2).toSorted(), ['absent', 'none'], 'last')
    },
  )
}
