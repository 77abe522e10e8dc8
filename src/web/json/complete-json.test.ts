import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeJson } from './complete-json.ts'

test.each([
  ['{"a": [1, {"b": "cut o', '{"a": [1, {"b": "cut o"}]}'],
  ['{"a": "x\\', '{"a": "x"}'],
  ['{"a": "x\\u00f', '{"a": "x"}'],
  ['{"a": "x\\\\', '{"a": "x\\\\"}'],
  ['{"a": "x\\\\u00', '{"a": "x\\\\u00"}'],
  ['{"a": 1, "hal', '{"a": 1}'],
  ['{"a": 1, "half"', '{"a": 1}'],
  ['{"a": 1, "half": ', '{"a": 1}'],
  ['{"a": 1, "b": tru', '{"a": 1}'],
  ['[1, 2', '[1]'],
  ['"text', '"text"'],
  ['{', '{}'],
  ['', ''],
])('%s', (text, complete) => {
  expect(completeJson(text)).toBe(complete)
})

test('a document that is cut anywhere can be parsed, and a whole one is not changed', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (json, cut) => {
      expect(completeJson(json)).toBe(json)
      const at = cut % json.length
      // A number or word that is cut is not recognizable outside of a container.
      if (/^[[{"]/.test(json) && at > 0) JSON.parse(completeJson(json.slice(0, at)))
    }),
  )
})
