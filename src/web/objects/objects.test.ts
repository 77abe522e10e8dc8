import { expect, test } from 'vitest'
import { filesOf } from './object-files.ts'
import { kindOf, segmentOf } from './object-kind.ts'
import { refsIn } from './object-refs.ts'

test('kinds by class', () => {
  const name = (kind: string, base_object_class: string | null): string =>
    kindOf({ kind, base_object_class }).name
  expect(name('op', null)).toBe('ops')
  expect(name('object', 'Prompt')).toBe('prompts')
  expect(name('object', null)).toBe('others')
  expect(name('object', 'Leaderboard')).toBe('others')
  expect([segmentOf('datasets'), segmentOf('evaluations'), segmentOf('others')]).toEqual([
    'datasets',
    'objects',
    'objects',
  ])
})

test('refs in a value, with where they stand', () => {
  const op = 'weave:///a/b/op/f:1'
  const model = 'weave:///a/b/object/m:2'
  const text = JSON.stringify({
    x: [1, op],
    'a.b': { y: model },
    rows: 'weave:///a/b/table/3',
    z: 'weave:///a',
  })
  expect(refsIn(text)).toEqual([
    { path: 'x.1', ref: op },
    { path: String.raw`a\.b.y`, ref: model },
  ])
})

test('files of an op', () => {
  expect(filesOf('{"_type": "CustomWeaveType", "files": {"obj.py": "d1", "n": 2}}')).toEqual([
    { name: 'obj.py', digest: 'd1' },
  ])
  expect(filesOf('[1]')).toEqual([])
  expect(filesOf('{"files": []}')).toEqual([])
})
