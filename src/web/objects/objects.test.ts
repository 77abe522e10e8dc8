import { expect, test } from 'vitest'
import { objectFiles } from './object-files.ts'
import { objectKind, kindSegment } from './object-kind.ts'
import { findRefs } from './object-refs.ts'

test('objects have a kind by their class', () => {
  const name = (kind: string, base_object_class: string | null): string =>
    objectKind({ kind, base_object_class }).name
  expect(name('op', null)).toBe('ops')
  expect(name('object', 'Prompt')).toBe('prompts')
  expect(name('object', null)).toBe('others')
  expect(name('object', 'Leaderboard')).toBe('others')
  expect([kindSegment('datasets'), kindSegment('evaluations'), kindSegment('others')]).toEqual([
    'datasets',
    'objects',
    'objects',
  ])
})

test('refs in a value are found with their paths', () => {
  const op = 'weave:///a/b/op/f:1'
  const model = 'weave:///a/b/object/m:2'
  const text = JSON.stringify({
    x: [1, op],
    'a.b': { y: model },
    rows: 'weave:///a/b/table/3',
    z: 'weave:///a',
  })
  expect(findRefs(text)).toEqual([
    { path: 'x.1', ref: op },
    { path: String.raw`a\.b.y`, ref: model },
  ])
})

test('the files of an op are read from its value', () => {
  expect(objectFiles('{"_type": "CustomWeaveType", "files": {"obj.py": "d1", "n": 2}}')).toEqual([
    { name: 'obj.py', digest: 'd1' },
  ])
  expect(objectFiles('[1]')).toEqual([])
  expect(objectFiles('{"files": []}')).toEqual([])
})
