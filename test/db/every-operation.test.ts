import { beforeAll, describe, expect, test } from 'vitest'
import { isHeddleApi } from '../../src/contract/operation.ts'
import { basic } from '../harness.ts'
import { allOperations, operationOf, ERROR_BODY, useOperations } from '../operations.ts'

/** Every operation serves valid requests of authorized callers, and rejects all others. */

const isCluster = process.env['HEDDLE_TEST_CLUSTER'] !== undefined
const operations = useOperations()
let outsider: string
let reader: string

beforeAll(async () => {
  const { server } = operations
  outsider = await server.user('outsider', { 'other/project': 'admin' })
  reader = await server.user('reader', { [server.project_id]: 'read' })
})

const authenticated = allOperations.filter((name) => operationOf(name).access !== 'public')
const authorized = authenticated.filter((name) => operationOf(name).access !== 'user')
const writes = authorized.filter((name) => operationOf(name).access === 'write')

describe('valid requests', () => {
  test.each(allOperations)('%s returns a response that matches its schema', async (name) => {
    const response: unknown = await operations.client().call(name, await operations.example(name))
    if (['jsonl', 'events'].includes(operationOf(name).responseFormat)) {
      for await (const line of response as AsyncIterable<unknown>) expect(line).toBeTypeOf('object')
    }
  })

  // Routes do not depend on shards, and the requests take four minutes there.
  test.skipIf(isCluster).each(allOperations)(
    '%s is served at / and under /traces, at every alias; the Heddle API only at /',
    async (name) => {
      for (const prefix of isHeddleApi(operationOf(name)) ? ['', '/'] : ['', '/traces', '/']) {
        for (const alias of ['', ...operationOf(name).aliases]) {
          const response = await operations.send(name, await operations.example(name), {
            prefix,
            path: alias,
          })
          expect([prefix, alias, response.status, response.text.slice(0, 200)]).toEqual([
            prefix,
            alias,
            200,
            expect.anything(),
          ])
          expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        }
      }
    },
  )
})

describe('authentication and authorization', () => {
  test.each(authenticated)('%s returns 401 for missing and malformed credentials', async (name) => {
    const request = await operations.exampleCache.get(name)
    const invalid = [
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Bearer abc',
      'basic',
      `Basic ${btoa('nocolon')}`,
      basic('api', 'x'.repeat(45)),
    ]
    for (const authorization of invalid) {
      const response = await operations.send(name, request, { authorization })
      expect([authorization, response.status, response.json]).toEqual([
        authorization,
        401,
        { ...ERROR_BODY, code: 'unauthenticated' },
      ])
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
  })

  test.each(authorized)('%s returns 403 in a project of other users', async (name) => {
    const response = await operations.send(name, await operations.exampleCache.get(name), {
      authorization: outsider,
    })
    expect([response.status, response.json]).toEqual([403, { ...ERROR_BODY, code: 'forbidden' }])
  })

  test.each(writes)('%s returns 403 for a user with the role read', async (name) => {
    const response = await operations.send(name, await operations.exampleCache.get(name), {
      authorization: reader,
    })
    expect([response.status, response.json]).toEqual([403, { ...ERROR_BODY, code: 'forbidden' }])
  })
})
