import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { namesField, searchedPaths } from './names-field.ts'
import { parseQuery } from './parse.ts'

const field = (name: string): object => ({ $getField: name })
const contains = (input: object, substr: object): object => ({ $contains: { input, substr } })
const query = parseQuery(
  RawJson.fromValue({
    $expr: {
      $and: [
        { $not: [contains(field('inputs.messages'), { $literal: 'a' })] },
        {
          $or: [
            contains(field('output.a\\.b'), { $literal: 'b' }),
            { $eq: [field('cost'), { $literal: 1 }] },
          ],
        },
        contains(field('inputs.a'), field('inputs.b')),
      ],
    },
  }),
)

test('a field is found anywhere in a query', () => {
  expect(['cost', 'inputs.messages', 'inputs.b', 'inputs'].map((name) => namesField(query, name))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('the fields in which a text is searched', () => {
  expect(searchedPaths(query)).toEqual([
    ['inputs', 'messages'],
    ['output', 'a.b'],
  ])
})
