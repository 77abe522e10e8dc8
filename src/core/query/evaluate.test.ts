import { describe, expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { find } from '../json/navigate.ts'
import { matches } from './evaluate.ts'
import { parseQuery } from './parse.ts'

const document = RawJson.fromText(
  '{"one":1.0,"text":"Hello","number":"12","yes":true,"nothing":null,"list":[1,2],"object":{"a":1}}',
)

function isFound(expression: unknown): boolean {
  const query = parseQuery(RawJson.fromValue({ $expr: expression }))
  if (query === undefined) throw new Error('no query')
  return matches(query, ([key = '']) => find(document, key))
}

const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })

describe('the type of a literal determines the conversion of the other operand', () => {
  test.each([
    [{ $eq: [field('one'), literal(1)] }, true],
    [{ $eq: [field('one'), literal('1')] }, true],
    [{ $gt: [field('number'), literal(9)] }, true],
    [{ $gt: [field('number'), literal('9')] }, false],
    [{ $eq: [field('yes'), literal(true)] }, true],
    [{ $eq: [field('one'), literal(true)] }, true],
    [{ $gte: [literal(2), field('one')] }, true],
    [{ $in: [field('text'), [literal('x'), literal('Hello')]] }, true],
    [{ $contains: { input: field('text'), substr: literal('hell') } }, false],
    [{ $contains: { input: field('text'), substr: literal('hell'), case_insensitive: true } }, true],
    [{ $eq: [{ $size: field('list') }, literal(2)] }, true],
    [{ $eq: [{ $size: field('text') }, literal(5)] }, true],
    [{ $gt: [{ $convert: { input: field('number'), to: 'int' } }, literal(11)] }, true],
    [{ $and: [{ $eq: [field('one'), literal(1)] }, { $eq: [field('text'), literal('x')] }] }, false],
  ])('%j is %s', (expression, found) => {
    expect(isFound(expression)).toBe(found)
  })
})

describe('unknown values', () => {
  test.each(['nothing', 'missing'])('%s is empty text and does not exist', (name) => {
    expect(isFound({ $eq: [field(name), literal('')] })).toBe(true)
    expect(isFound({ $eq: [{ $convert: { input: field(name), to: 'exists' } }, literal(true)] })).toBe(false)
    expect(isFound({ $eq: [field(name), literal(null)] })).toBe(false)
  })

  test('the negation of unknown is unknown', () => {
    const wrong = { $gt: [field('text'), literal(1)] }
    expect([isFound(wrong), isFound({ $not: [wrong] })]).toEqual([false, false])
    expect(isFound({ $or: [wrong, { $eq: [field('one'), literal(1)] }] })).toBe(true)
  })
})
