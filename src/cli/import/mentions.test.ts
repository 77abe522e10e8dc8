import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { Mentions } from './mentions.ts'

test('objects, tables and files of the project are found at any depth, those of others are not', () => {
  const image = { _type: 'CustomWeaveType', weave_type: { type: 'Image' }, files: { 'i.png': 'f1', x: 'f2' } }
  const mentions = new Mentions('e/p').add(
    RawJson.of({ deep: [{ image }], files: { not: 'one of ours' } }),
    RawJson.of(['weave:///e/p/object/x:1/attr/rows', 'weave:///e/p/op/o:2', 'weave:///e/q/object/x:1']),
    RawJson.of({ rows: 'weave:///e/p/table/t', file: 'weave:///e/p/file/f3', call: 'weave:///e/p/call/c' }),
    null,
    undefined,
  )
  expect([...mentions.objects]).toEqual(['x:1', 'o:2'])
  expect([...mentions.tables]).toEqual(['t'])
  expect([...mentions.files]).toEqual(['f1', 'f2', 'f3'])
})
