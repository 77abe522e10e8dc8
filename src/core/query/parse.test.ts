import { expect, test } from 'vitest'
import type { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Operand } from './ast.ts'
import { MAX_QUERY_NODES } from '../../contract/limits.ts'
import { parseQuery } from './parse.ts'

function read(text: string): Operand | undefined {
  return parseQuery(RawJson.fromBytes(Buffer.from(text)))
}

function readExpr(expr: string): Operand | undefined {
  return read(`{"$expr": ${expr}}`)
}

function problemOf(text: string): ApiError {
  try {
    read(text)
  } catch (error) {
    return error as ApiError
  }
  throw new Error(`no problem with ${text}`)
}

function literals(list: string): unknown {
  const query = readExpr(`{"$and": ${list}}`)
  return query?.op === 'and'
    ? query.operands.map((operand) => operand.op === 'literal' && operand.literal)
    : undefined
}

test('a missing query, null and a query of the spec are parsed', () => {
  expect(parseQuery(undefined)).toBeUndefined()
  expect(parseQuery(null)).toBeUndefined()
  expect(read('null')).toBeUndefined()
  expect(readExpr('{"$eq": [{"$literal": "1"}, {"$literal": "1"}]}')).toEqual({
    op: 'eq',
    left: { op: 'literal', literal: { kind: 'string', value: '1' } },
    right: { op: 'literal', literal: { kind: 'string', value: '1' } },
  })
})

test('the spelling of a number decides between int and float, and no digit is lost', () => {
  expect(
    literals('[{"$literal": 1}, {"$literal": 1.0}, {"$literal": 1e3}, {"$literal": -0}, {"$literal": -0.0}]'),
  ).toEqual([
    { kind: 'int', digits: '1' },
    { kind: 'float', value: 1 },
    { kind: 'float', value: 1000 },
    { kind: 'int', digits: '0' },
    { kind: 'float', value: 0 },
  ])
  expect(literals('[{"$literal": 123456789012345678901}, {"$literal": 1e400}]')).toEqual([
    { kind: 'int', digits: '123456789012345678901' },
    { kind: 'float', value: Infinity },
  ])
})

test('any JSON value is a literal', () => {
  expect(
    literals('[{"$literal": null}, {"$literal": true}, {"$literal": {"a": [1]}}, {"$literal": [1.0]}]'),
  ).toEqual([
    { kind: 'null' },
    { kind: 'bool', value: true },
    { kind: 'json', text: '{"a": [1]}' },
    { kind: 'json', text: '[1.0]' },
  ])
})

test('a dot in a key can be escaped, and a feedback type is one part', () => {
  const path = (name: string) => {
    const query = readExpr(`{"$not": [{"$getField": ${JSON.stringify(name)}}]}`)
    return query?.op === 'not' && query.operand.op === 'field' ? query.operand.path : undefined
  }
  expect(path('inputs.a\\.b.0.__proto__')).toEqual(['inputs', 'a.b', '0', '__proto__'])
  expect(path('feedback.[wandb.reaction.1].payload.emoji')).toEqual([
    'feedback',
    '[wandb.reaction.1]',
    'payload',
    'emoji',
  ])
})

test.each([
  ['[]', 'query'],
  ['{}', 'query.$expr'],
  ['{"$expr": {"$and": [{"$literal": 1}]}, "more": 1}', 'query.more'],
  ['{"$expr": {"$literal": true}}', 'query.$expr'],
  ['{"$expr": {"$getField": "id"}}', 'query.$expr'],
  ['{"$expr": {"$ne": [1, 2]}}', 'query.$expr.$ne'],
  ['{"$expr": {"__proto__": [1, 2]}}', 'query.$expr.__proto__'],
  ['{"$expr": {"$eq": [{"$literal": 1}]}}', 'query.$expr.$eq'],
  ['{"$expr": {"$eq": [1, {"$literal": 1}]}}', 'query.$expr.$eq.0'],
  ['{"$expr": {"$eq": {"$literal": 1}}}', 'query.$expr.$eq'],
  ['{"$expr": {"$not": []}}', 'query.$expr.$not'],
  ['{"$expr": {"$in": [{"$literal": 1}, {"$literal": 1}]}}', 'query.$expr.$in.1'],
  ['{"$expr": {"$contains": {"input": {"$literal": 1}}}}', 'query.$expr.$contains.substr'],
  [
    '{"$expr": {"$not": [{"$convert": {"input": {"$literal": 1}, "to": "date"}}]}}',
    'query.$expr.$not.0.$convert.to',
  ],
  ['{"$expr": {"$not": [{"$getField": "inputs.-1"}]}}', 'query.$expr.$not.0.$getField'],
  ['{"$expr": {"$not": [{"$getField": "inputs..a"}]}}', 'query.$expr.$not.0.$getField'],
  [`{"$expr": {"$not": [{"$getField": "inputs${'.0'.repeat(17)}"}]}}`, 'query.$expr.$not.0.$getField'],
  ['{"$expr": {"$not": [{"$getField": 5}]}}', 'query.$expr.$not.0.$getField'],
  ['{"$expr": {"$eq": [{"$literal": 1}, {"$literal": 1}], "$gt": []}}', 'query.$expr'],
])('%s fails with 422 and the location', (text, loc) => {
  const problem = problemOf(text)
  expect(problem.status).toBe(422)
  expect(problem.detail?.[0]?.loc.join('.')).toBe(loc)
})

test.each(['$and', '$or'])('an empty %s is a 400', (name) => {
  expect(problemOf(`{"$expr": {"${name}": []}}`).status).toBe(400)
})

test('a query beyond the limits fails with 400 and names the limit', () => {
  const list = Array.from({ length: MAX_QUERY_NODES }, () => '{"$literal": 1}').join(',')
  const problem = problemOf(`{"$expr": {"$or": [${list}]}}`)
  expect(problem.status).toBe(400)
  expect(problem.message).toContain('10000')
})
