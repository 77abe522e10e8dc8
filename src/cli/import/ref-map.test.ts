import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { RefMap } from './ref-map.ts'

const json = (map: RefMap, text: string) => map.rewriteJson(RawJson.fromText(text)).text

test('a payload is unchanged when no ref changes', () => {
  const raw = RawJson.fromText('{"a": "weave:///e/p/object/x:1", "one":1.0}')
  expect(new RefMap('e/p', 'e/p').rewriteJson(raw)).toBe(raw)
})

test('refs get the new project name, and all other bytes are unchanged', () => {
  const map = new RefMap('e/p', 'new/home')
  expect(json(map, '{ "a": "weave:///e/p/call/c", "one":1.0, "weave:///e/p/object/x:1":2 }')).toBe(
    '{ "a": "weave:///new/home/call/c", "one":1.0, "weave:///new/home/object/x:1":2 }',
  )
  // Another project, a text that contains a ref, a project whose name has this one as prefix.
  const others = '["weave:///e/other/call/c","see weave:///e/p/call/c","weave:///e/pp/call/c"]'
  expect(json(map, others)).toBe(others)
  // JSON nested as a string.
  expect(json(map, '"{\\"ref\\": \\"weave:///e/p/object/x:1/attr/y\\"}"')).toBe(
    '"{\\"ref\\": \\"weave:///new/home/object/x:1/attr/y\\"}"',
  )
})

test('a changed digest is rewritten in refs to objects, ops, tables and rows', () => {
  const map = new RefMap('e/p', 'e/p')
  map.addObject('x:1', '2')
  map.addTable('t', 'u')
  map.addRow('r', 's')
  expect(map.rewriteText('weave:///e/p/object/x:1/attr/rows/id/r')).toBe(
    'weave:///e/p/object/x:2/attr/rows/id/s',
  )
  expect(map.rewriteText('weave:///e/p/op/x:1')).toBe('weave:///e/p/op/x:2')
  expect(map.rewriteText('weave:///e/p/op/x:*')).toBe('weave:///e/p/op/x:*')
  expect(map.rewriteText('weave:///e/p/table/t')).toBe('weave:///e/p/table/u')
  expect(map.rewriteText('weave:///e/p/file/f')).toBe('weave:///e/p/file/f')
  expect(map.rewriteText('weave:///e/q/table/t')).toBe('weave:///e/q/table/t')
})
