import { expect, test } from 'vitest'
import { leadingMembers } from './leading-members.ts'

test.each([
  ['{"a":"1","b":2,"c":"unfinis', '{"a":"1","b":2}'],
  ['{"a":"x\\"}","b":nul', '{"a":"x\\"}"}'],
  ['{"a":{"b":[1,2]},"c":12', '{"a":{"b":[1,2]}}'],
  [`{"a":1,"b":"${'x'.repeat(70_000)}","c":3}`, '{"a":1}'],
  ['{"a":1}', undefined],
  ['{"a":"unfinished', undefined],
  ['{', undefined],
])('%.30s', (text, members) => {
  expect(leadingMembers(Buffer.from(text))).toBe(members)
})
