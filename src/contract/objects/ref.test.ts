import { expect, it } from 'vitest'
import { formatRef, parseRef } from './ref.ts'

it.each([
  'weave:///acme/demo/object/my-model:abc',
  'weave:///acme/demo/op/predict:v3/attr/a/key/b%20%2F/index/0/id/xyz',
  'weave:///acme/demo/call/0198f0c8-0000-7000-8000-000000000000',
  'weave:///acme/demo/table/03b86e85/id/abc',
  'weave:///acme/demo/file/abc',
])('a ref survives parsing and formatting: %s', (text) => {
  expect(formatRef(parseRef(text)!)).toBe(text)
})

it('parsing a ref returns its parts', () => {
  expect(parseRef('weave:///acme/demo/object/m:abc/key/a%2Fb')).toEqual({
    kind: 'object',
    project_id: 'acme/demo',
    name: 'm',
    digest: 'abc',
    path: [{ by: 'key', name: 'a/b' }],
  })
  expect(parseRef('weave:///acme/demo/call/1')).toEqual({
    kind: 'call',
    project_id: 'acme/demo',
    id: '1',
    path: [],
  })
})

it.each([
  '',
  'weave:///',
  'weave:///acme/demo',
  'weave:///acme/demo/object/m',
  'weave:///acme/demo/object/m:',
  'weave:///acme/demo/object/:abc',
  'weave:///acme/demo/thing/m:abc',
  'weave:////demo/object/m:abc',
  'weave:///acme/demo/object/m:abc/attr',
  'weave:///acme/demo/object/m:abc/other/x',
  'weave:///acme/demo/object/m:abc/attr/%E0%A4%A',
  'weave:///acme/demo/call/',
  'https:///acme/demo/object/m:abc',
])('text that is not a ref is rejected: %s', (text) => {
  expect(parseRef(text)).toBeUndefined()
})
