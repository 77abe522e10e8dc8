import { beforeAll, describe, expect, test } from 'vitest'
import { projectNames, useServer } from '../harness.ts'

/** Values inside payloads: returned as stored, compared and sorted by their JSON type. */

const server = useServer()

const newProject = projectNames('acme/feedback-values')

const CALL = 'weave:///acme/demo/call/1'

interface Page {
  result: Record<string, unknown>[]
}

const NUMBERS =
  '3 -7 0 -0 1.0 1.50 1e5 1E+5 12345678901234567890 0.1000000000000000055511151231257827 1e400 123456789012345678901234567890'
const STRINGS = String.raw`"" "3" "true" "null" "q\"uo\/" "\u00e9é🎉" "\ud800"`
const SPELLED = [
  ...NUMBERS.split(' '),
  ...STRINGS.split(' '),
  ...'true false null [] {}'.split(' '),
  '[ 1, 2.0 ]',
  '{"b" : [1,{"b":null}], "a":1e0}',
]

test('a value inside a payload is returned byte for byte', async () => {
  const project_id = newProject()
  const batch = SPELLED.map(
    (value) =>
      `{"project_id":"${project_id}","weave_ref":"${CALL}","feedback_type":"t","payload":{"a":{"v.w": ${value} ,"x":1}}}`,
  )
  await server.send('/feedback/batch/create', `{"batch":[${batch.join(',')}]}`)
  const { text } = await server.send('/feedback/query', { project_id, fields: ['payload.a.v\\.w'] })
  const rows = SPELLED.map((value) => `{"payload.a.v\\\\.w":${value}}`).join(',')
  expect(text).toBe(`{"result":[${rows}],"total_count":${SPELLED.length}}`)
})

describe('filters and sorting', () => {
  const values: Record<string, string> = {
    three: '3',
    threeFloat: '3.0',
    threeText: '"3"',
    half: '2.5',
    ten: '10',
    tenText: '"10"',
    exact: '9007199254740993',
    inexact: '9007199254740992',
    huge: '123456789012345678901234567890',
    hugeText: '"123456789012345678901234567890"',
    yes: 'true',
    yesText: '"true"',
    one: '1',
    empty: '""',
    list: '[1, 2]',
    listText: '"[1,2]"',
    none: 'null',
  }
  const project_id = newProject()
  beforeAll(async () => {
    const batch = Object.entries(values).map(
      ([id, value]) =>
        `{"project_id":"${project_id}","id":"${id}","weave_ref":"${CALL}","feedback_type":"t","payload":{"v":${value}}}`,
    )
    await server.send('/feedback/batch/create', `{"batch":[${batch.join(',')}]}`)
    const absent = { project_id, id: 'absent', weave_ref: CALL, feedback_type: 't', payload: { w: 3 } }
    await server.post('/feedback/create', absent)
  })

  const V = '{"$getField":"payload.v"}'
  const ids = async (expr: string): Promise<string[]> => {
    const body = `{"project_id":"${project_id}","fields":["id"],"query":{"$expr":${expr}}}`
    const { status: code, json, text } = await server.send('/feedback/query', body)
    if (code !== 200) throw new Error(text)
    return (json as unknown as Page).result.map((row) => String(row['id'])).toSorted()
  }

  test.each<[string, string, string[]]>([
    ['$eq', '3', ['three', 'threeFloat']],
    ['$eq', '3.0', ['three', 'threeFloat']],
    ['$eq', '"3"', ['threeText']],
    ['$eq', 'true', ['yes']],
    ['$eq', '"true"', ['yesText']],
    ['$eq', '1', ['one']],
    ['$eq', '""', ['empty']],
    ['$eq', '[1,2]', ['list']],
    ['$eq', '"[1,2]"', ['listText']],
    ['$eq', 'null', ['absent', 'none']],
    ['$eq', '9007199254740993', ['exact']],
    ['$eq', '123456789012345678901234567890', ['huge']],
    ['$eq', '"123456789012345678901234567890"', ['hugeText']],
    ['$gt', '2', ['exact', 'half', 'huge', 'inexact', 'ten', 'three', 'threeFloat']],
    ['$gte', '9007199254740993', ['exact', 'huge']],
    ['$lt', '2.5', ['one']],
    ['$gt', '"2"', ['threeText', 'yesText', 'listText'].toSorted()],
    ['$lte', 'true', ['yes']],
  ])('%s %s compares by type', async (operator, literal, expected) => {
    expect(await ids(`{"${operator}":[${V},{"$literal":${literal}}]}`)).toEqual(expected)
    const mirrored = { $eq: '$eq', $gt: '$lt', $gte: '$lte', $lt: '$gt', $lte: '$gte' }[operator]
    expect(await ids(`{"${mirrored}":[{"$literal":${literal}},${V}]}`)).toEqual(expected)
    if (operator === '$eq')
      expect(await ids(`{"$in":[${V},[{"$literal":${literal}},{"$literal":"none of them"}]]}`)).toEqual(
        expected,
      )
  })

  test('a list may mix types, and $not matches the same type only', async () => {
    const literals = ['3', '"3"', 'true', '2.5', 'null', '9007199254740993'].map(
      (each) => `{"$literal":${each}}`,
    )
    expect(await ids(`{"$in":[${V},[${literals.join(',')}]]}`)).toEqual(
      ['absent', 'exact', 'half', 'none', 'three', 'threeFloat', 'threeText', 'yes'].toSorted(),
    )
    expect(await ids(`{"$not":[{"$eq":[${V},{"$literal":"3"}]}]}`)).toEqual(
      ['empty', 'hugeText', 'listText', 'tenText', 'yesText'].toSorted(),
    )
  })

  test('$convert casts the text, whatever its type', async () => {
    const three = `{"$eq":[{"$convert":{"input":${V},"to":"double"}},{"$literal":3}]}`
    expect(await ids(three)).toEqual(['three', 'threeFloat', 'threeText'])
  })

  test('numbers are sorted before everything else, and by value', async () => {
    const sorted = async (direction: string) => {
      const sort_by = [{ field: 'payload.v', direction }]
      return (await server.post<Page>('/feedback/query', { project_id, fields: ['id'], sort_by })).result.map(
        (row) => row['id'],
      )
    }
    const numbers = ['one', 'half', 'three', 'threeFloat', 'ten', 'inexact', 'exact', 'huge']
    const ascending = await sorted('asc')
    expect(ascending.slice(0, numbers.length)).toEqual(numbers)
    const texts = ascending.slice(numbers.length, -2)
    expect(texts).toEqual(['empty', 'tenText', 'hugeText', 'threeText', 'list', 'listText', 'yes', 'yesText'])
    expect(ascending.slice(-2)).toEqual(['none', 'absent'])
    const descending = await sorted('desc')
    expect(descending.slice(0, 3)).toEqual(['huge', 'exact', 'inexact'])
    expect(descending.slice(-2)).toEqual(['none', 'absent'])
  })

  test('the longest path takes less than 15 s', { timeout: 15_000 }, async () => {
    const field = `payload${'.0'.repeat(16)}${'.a'.repeat(183)}`
    const { status: code } = await server.send('/feedback/query', {
      project_id,
      fields: [field],
      sort_by: [{ field }],
      query: {
        $expr: { $in: [{ $getField: field }, [{ $literal: 1 }, { $literal: 'a' }, { $literal: true }]] },
      },
    })
    expect(code).toBe(200)
  })
})
