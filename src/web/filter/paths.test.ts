import { expect, test } from 'vitest'
import { collectPaths } from './paths.ts'

test('collects the paths of a document, with the first item of arrays', () => {
  const text = '{"model": "gpt-4o", "user": {"tier": 1}, "env.name": true, "list": [{"a": 1}, {"b": 2}]}'
  expect([...collectPaths('inputs', text)]).toEqual([
    'inputs.model',
    'inputs.user.tier',
    'inputs.env\\.name',
    'inputs.list.0.a',
  ])
})

test.each(['{"a": 1, "lon', '{"a": 1, "long": "tex', '{"a": 1, "long', '{"a": 1, "long":', '{"a": 1, '])(
  'a truncated document yields the paths before the cut: %s',
  (text) => {
    expect([...collectPaths('inputs', text)]).toContain('inputs.a')
  },
)

test('a scalar document has the path of the document', () => {
  expect([...collectPaths('output', '"text"')]).toEqual(['output'])
  expect([...collectPaths('output', '')]).toEqual([])
})
