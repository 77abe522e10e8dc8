import { beforeAll, describe, expect, test } from 'vitest'
import { isHeddleApi } from '../../src/contract/operation.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { basic } from '../harness.ts'
import { all, bodied, operationOf, PROBLEM, useOperations } from '../operations.ts'

/** Every operation: valid requests are answered, to those who may. */

const operations = useOperations()
let outsider: string
let reader: string

beforeAll(async () => {
  const { server } = operations
  outsider = await server.user('outsider', { 'other/project': 'admin' })
  reader = await server.user('reader', { [server.project_id]: 'read' })
})

const closed = all.filter((name) => operationOf(name).access !== 'public')
const ruled = closed.filter((name) => operationOf(name).access !== 'user')
const writes = ruled.filter((name) => operationOf(name).access === 'write')

describe('valid requests', () => {
  test.each(all)('%s is answered as its response schema says', async (name) => {
    const answer: unknown = await operations.client().call(name, await operations.example(name))
    if (['jsonl', 'events'].includes(operationOf(name).responseFormat)) {
      for await (const line of answer as AsyncIterable<unknown>) expect(line).toBeTypeOf('object')
    }
  })

  test.each(all)(
    '%s answers at / and under /traces, in every spelling; what is our own only at /',
    async (name) => {
      for (const prefix of isHeddleApi(operationOf(name)) ? ['', '/'] : ['', '/traces', '/']) {
        for (const alias of ['', ...operationOf(name).aliases]) {
          const answer = await operations.deliver(name, await operations.example(name), {
            prefix,
            path: alias,
          })
          expect([prefix, alias, answer.status, answer.text.slice(0, 200)]).toEqual([
            prefix,
            alias,
            200,
            expect.anything(),
          ])
          expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        }
      }
    },
  )

  test.each(bodied)('%s ignores fields it does not know', async (name) => {
    const unknown = { unknown_field: { ['__proto__']: [1.5, { a: null }], constructor: 1 } }
    const request = await operations.example(name)
    const answer = await operations.deliver(
      name,
      operationOf(name).body === 'json' ? sprinkle(request, unknown) : { ...request, extra: 'x' },
    )
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()])
  })
})

/** Further members in every object of the request that is not a payload. */
function sprinkle(value: unknown, extra: object): object {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? sprinkle(item, extra) : (item as unknown)))
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value as object
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    // Keys of `costs` are the client's own: there is no unknown one among them.
    typeof member === 'object' && key !== 'costs' ? sprinkle(member, extra) : (member as unknown),
  ])
  return { ...Object.fromEntries(entries), ...extra }
}

describe('who may', () => {
  test.each(closed)('%s answers 401 to missing and malformed credentials', async (name) => {
    const request = await operations.kept.of(name)
    const odd = [
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Bearer abc',
      'basic',
      `Basic ${btoa('nocolon')}`,
      basic('api', 'x'.repeat(45)),
    ]
    for (const authorization of odd) {
      const answer = await operations.deliver(name, request, { authorization })
      expect([authorization, answer.status, answer.json]).toEqual([
        authorization,
        401,
        { ...PROBLEM, code: 'unauthenticated' },
      ])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
  })

  test.each(ruled)('%s in a project of others answers 403, whatever is there', async (name) => {
    const answer = await operations.deliver(name, await operations.kept.of(name), { authorization: outsider })
    expect([answer.status, answer.json]).toEqual([403, { ...PROBLEM, code: 'forbidden' }])
  })

  test.each(writes)('%s answers 403 to somebody who may only read', async (name) => {
    const answer = await operations.deliver(name, await operations.kept.of(name), { authorization: reader })
    expect([answer.status, answer.json]).toEqual([403, { ...PROBLEM, code: 'forbidden' }])
  })
})
