import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { RefMap } from './ref-map.ts'

const json = (map: RefMap, text: string) => map.json(RawJson.fromText(text)).text

test('nothing changes in a payload when nothing is renamed', () => {
  const raw = RawJson.fromText('{"a": "weave:///e/p/object/x:1", "one":1.0}')
  expect(new RefMap('e/p', 'e/p').json(raw)).toBe(raw)
})

test('refs of the project follow its new name, and every other byte stays', () => {
  const map = new RefMap('e/p', 'new/home')
  expect(json(map, '{ "a": "weave:///e/p/call/c", "one":1.0, "weave:///e/p/object/x:1":2 }')).toBe(
    '{ "a": "weave:///new/home/call/c", "one":1.0, "weave:///new/home/object/x:1":2 }',
  )
  // Another project, a text that only speaks of one, a project whose name begins alike.
  const others = '["weave:///e/other/call/c","see weave:///e/p/call/c","weave:///e/pp/call/c"]'
  expect(json(map, others)).toBe(others)
  // JSON kept as text.
  expect(json(map, '"{\\"ref\\": \\"weave:///e/p/object/x:1/attr/y\\"}"')).toBe(
    '"{\\"ref\\": \\"weave:///new/home/object/x:1/attr/y\\"}"',
  )
})

test('a digest that came out differently is followed in objects, ops, tables and rows', () => {
  const map = new RefMap('e/p', 'e/p')
  map.object('x:1', '2')
  map.table('t', 'u')
  map.row('r', 's')
  expect(map.text('weave:///e/p/object/x:1/attr/rows/id/r')).toBe('weave:///e/p/object/x:2/attr/rows/id/s')
  expect(map.text('weave:///e/p/op/x:1')).toBe('weave:///e/p/op/x:2')
  expect(map.text('weave:///e/p/op/x:*')).toBe('weave:///e/p/op/x:*')
  expect(map.text('weave:///e/p/table/t')).toBe('weave:///e/p/table/u')
  expect(map.text('weave:///e/p/file/f')).toBe('weave:///e/p/file/f')
  expect(map.text('weave:///e/q/table/t')).toBe('weave:///e/q/table/t')
})
