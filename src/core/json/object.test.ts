import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { appendMember, withMembers } from './object.ts'

test.each([
  ['{}', '{"_ref":1.0}'],
  ['{ \n }', '{ \n "_ref":1.0}'],
  ['{"a":"{"}', '{"a":"{","_ref":1.0}'],
  ['{"a":{}} ', '{"a":{},"_ref":1.0}'],
])('a member is appended to %s', (object, result) => {
  const value = RawJson.fromText('1.0')
  expect(appendMember(RawJson.fromText(object), '_ref', value).text).toBe(result)
})

test('members are added or replaced; the others keep their bytes', () => {
  const object = RawJson.fromText('{"a": 1.0, "b":2}')
  expect(withMembers(object, [['c', 3]]).text).toBe('{"a": 1.0, "b":2,"c":3}')
  expect(withMembers(object, [['b', 3]]).text).toBe('{"a":1.0,"b":3}')
})
