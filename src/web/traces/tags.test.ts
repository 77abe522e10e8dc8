import { expect, test } from 'vitest'
import { parseTags } from './tags.ts'

test('tags are an array of strings, or one string', () => {
  expect(parseTags('["prod", "eu", "prod"]')).toEqual(['prod', 'eu'])
  expect(parseTags('"prod"')).toEqual(['prod'])
  expect(parseTags('["a\\u0062", 1, null, ""]')).toEqual(['ab'])
})

test('other values have no tags', () => {
  for (const json of ['null', '{"a": "b"}', '12', '[]', '""', '']) expect(parseTags(json)).toEqual([])
})

test('a truncated array keeps the tags that are left', () => {
  expect(parseTags('["prod", "long ta')).toEqual(['prod', 'long ta'])
  expect(parseTags('["prod",')).toEqual(['prod'])
})
