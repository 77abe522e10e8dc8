import { expect, test } from 'vitest'
import { tagsOf } from './tags.ts'

test('tags are a list of texts, or one text', () => {
  expect(tagsOf('["prod", "eu", "prod"]')).toEqual(['prod', 'eu'])
  expect(tagsOf('"prod"')).toEqual(['prod'])
  expect(tagsOf('["a\\u0062", 1, null, ""]')).toEqual(['ab'])
})

test('anything else is none', () => {
  for (const json of ['null', '{"a": "b"}', '12', '[]', '""', '']) expect(tagsOf(json)).toEqual([])
})

test('a list that was cut off has what is left of it', () => {
  expect(tagsOf('["prod", "long ta')).toEqual(['prod', 'long ta'])
  expect(tagsOf('["prod",')).toEqual(['prod'])
})
