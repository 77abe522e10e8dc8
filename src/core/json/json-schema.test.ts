import { expect, test } from 'vitest'
import { findMismatch } from './json-schema.ts'

test('a matching value has no mismatch', () => {
  const matching: [unknown, unknown][] = [
    [3, { type: 'integer', minimum: 1, maximum: 5 }],
    ['good', { type: 'string', enum: ['good', 'bad'] }],
    [null, { type: ['string', 'null'] }],
    [{ a: [1] }, { type: 'object', required: ['a'], properties: { a: { items: { type: 'number' } } } }],
    ['any', { $ref: '#/unknown' }],
    ['any', true],
    [1.5, { type: 'number' }],
  ]
  expect(matching.map(([value, schema]) => findMismatch(value, schema))).toEqual(
    matching.map(() => undefined),
  )
})

test('a mismatch is described with its path', () => {
  const mismatching: [unknown, unknown, string][] = [
    ['3', { type: 'integer' }, 'value must be of type integer'],
    [1.5, { type: 'integer' }, 'value must be of type integer'],
    [6, { maximum: 5 }, 'value must be at most 5'],
    [5, { exclusiveMaximum: 5 }, 'value must be below 5'],
    ['so so', { enum: ['good', 'bad'] }, 'value must be one of the values of enum'],
    ['👍👍', { maxLength: 1 }, 'value must have a length of at most 1'],
    [[], { minItems: 1 }, 'value must have a length of at least 1'],
    [{}, { required: ['a'] }, 'value.a is missing'],
    [
      { a: [1, 'x'] },
      { properties: { a: { items: { type: 'number' } } } },
      'value.a.1 must be of type number',
    ],
    [true, { type: 'number' }, 'value must be of type number'],
  ]
  expect(mismatching.map(([value, schema]) => findMismatch(value, schema))).toEqual(
    mismatching.map(([, , message]) => message),
  )
})
