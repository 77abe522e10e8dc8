import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonIndex } from './json-index.ts'
import { valueAt } from './value-at.ts'

test('numbers keep their spelling and strings are decoded', () => {
  const index = new JsonIndex('{"a": 1.0, "b": 12345678901234567890, "c": "Z\\u00fcrich", "d": [true, null]}')
  const { count, nodes } = index.children(index.root().at, 0, 10)
  expect(count).toBe(4)
  expect(nodes.map(({ key, text }) => [key, text])).toEqual([
    ['a', '1.0'],
    ['b', '12345678901234567890'],
    ['c', 'Zürich'],
    ['d', ''],
  ])
  expect(index.children(nodes[3]?.at ?? 0, 0, 10).nodes.map(({ text }) => text)).toEqual(['true', 'null'])
})

test('a long string is truncated between escape sequences', () => {
  const index = new JsonIndex(JSON.stringify({ a: `${'x'.repeat(1497)}\n\n\n\n${'y'.repeat(100)}` }))
  const node = index.children(index.root().at, 0, 1).nodes[0]
  expect(node?.isTruncated).toBe(true)
  expect(node?.text.startsWith('xxx')).toBe(true)
  expect(index.stringText(node?.at ?? 0, node?.end ?? 0, 1e9)).toHaveLength(1601)
})

test.each([
  ['zürich', 1],
  ['ZÜRICH', 1],
  ['"so"', 1],
  ['a/b', 1],
  ['nowhere', 0],
])('%s is found in any spelling', (text, hits) => {
  const index = new JsonIndex(String.raw`{"city": "Z\u00fcrich", "said": "\"so\"", "path": "a\/b"}`)
  expect(index.find(text).offsets).toHaveLength(hits)
})

test('a hit has the path to its value', () => {
  const text = '{"a": [{"b": "x"}, {"b": "needle"}], "needles": 1}'
  const index = new JsonIndex(text)
  const [inValue = 0, inKey = 0] = index.find('needle').offsets
  expect(index.pathTo(inValue).map(({ key, index }) => key ?? index)).toEqual([0, 'a', 1, 'b'])
  expect(index.pathTo(inKey).map(({ key, index }) => key ?? index)).toEqual([0, 'needles'])
})

test('expanding all levels gives the whole document', () => {
  const read = (index: JsonIndex, node = index.root()): unknown => {
    if (node.kind !== 'object' && node.kind !== 'array') return JSON.parse(index.slice(node.at, node.end))
    const { nodes } = index.children(node.at, 0, 1e6)
    return node.kind === 'array'
      ? nodes.map((child) => read(index, child))
      : Object.fromEntries(nodes.map((child) => [child.key, read(index, child)]))
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(read(new JsonIndex(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('a path leads to a value', () => {
  expect(valueAt('{"a.b": [1, {"c": 1.0}]}', ['a.b', '1', 'c'])).toBe('1.0')
  expect(valueAt('{"a": 1}', ['b'])).toBeUndefined()
  expect(valueAt('[1]', ['0', 'x'])).toBeUndefined()
})
