import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { References } from './references.ts'

test('finds objects, tables and files of the project at any depth, and none of other projects', () => {
  const image = { _type: 'CustomWeaveType', weave_type: { type: 'Image' }, files: { 'i.png': 'f1', x: 'f2' } }
  const references = new References('e/p').add(
    RawJson.fromValue({ deep: [{ image }], files: { not: 'one of ours' } }),
    RawJson.fromValue([
      'weave:///e/p/object/x:1/attr/rows',
      'weave:///e/p/op/o:2',
      'weave:///e/q/object/x:1',
    ]),
    RawJson.fromValue({
      rows: 'weave:///e/p/table/t',
      file: 'weave:///e/p/file/f3',
      call: 'weave:///e/p/call/c',
    }),
    null,
    undefined,
  )
  expect([...references.objects]).toEqual(['x:1', 'o:2'])
  expect([...references.tables]).toEqual(['t'])
  expect([...references.files]).toEqual(['f1', 'f2', 'f3'])
})
