import { expect, test } from 'vitest'
import { pathsIn } from './paths.ts'

test('values of a document are found, of lists those of the first item', () => {
  const text = '{"model": "gpt-4o", "user": {"tier": 1}, "env.name": true, "list": [{"a": 1}, {"b": 2}]}'
  expect([...pathsIn('inputs', text)]).toEqual([
    'inputs.model',
    'inputs.user.tier',
    'inputs.env\\.name',
    'inputs.list.0.a',
  ])
})

test.each(['{"a": 1, "lon', '{"a": 1, "long": "tex', '{"a": 1, "long', '{"a": 1, "long":', '{"a": 1, '])(
  'a document that was cut off tells what came before: %s',
  (text) => {
    expect([...pathsIn('inputs', text)]).toContain('inputs.a')
  },
)

test('what is no object has the path of the document', () => {
  expect([...pathsIn('output', '"text"')]).toEqual(['output'])
  expect([...pathsIn('output', '')]).toEqual([])
})
