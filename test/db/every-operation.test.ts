import { beforeAll, describe, expect, test } from 'vitest'
import { isHeddleApi } from '../../src/contract/operation.ts'
import { basic, type TestResponse } from '../harness.ts'
import { allOperations, operationOf, ERROR_BODY, useOperations } from '../operations.ts'

/** Every operation serves valid requests of authorized callers, and rejects all others. */

/** Routes and rights do not depend on shards. */
const isCluster = process.env['HEDDLE_TEST_CLUSTER'] !== undefined
const operations = useOperations()
let outsider: string
let reader: string

beforeAll(async () => {
  const { server } = operations
  outsider = await server.user('outsider', { 'other/project': 'admin' })
  reader = await server.user('reader', { [server.project_id]: 'read' })
})

const authorized = allOperations.filter((name) => !['public', 'user'].includes(operationOf(name).access))
const writes = authorized.filter((name) => operationOf(name).access === 'write')

describe('valid requests', () => {
  test.each(allOperations)('%s returns a response that matches its schema', async (name) => {
    const response: unknown = await operations.client().call(name, await operations.example(name))
    if (['jsonl', 'events'].includes(operationOf(name).responseFormat)) {
      for await (const line of response as AsyncIterable<unknown>) expect(line).toBeTypeOf('object')
    }
  })
})

describe('authentication and authorization', () => {
  test.skipIf(isCluster).each(allOperations)(
    '%s is served at / and under /traces, at every alias; the Heddle API only at /; nowhere without credentials',
    async (name) => {
      const { access, aliases } = operationOf(name)
      const request = await operations.exampleCache.get(name)
      const prefixes = isHeddleApi(operationOf(name)) ? ['', '/'] : ['', '/traces', '/']
      for (const prefix of prefixes)
        for (const path of ['', ...aliases]) {
          const response = await operations.send(name, request, { prefix, path, authorization: '' })
          expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
          if (access === 'public') expect([prefix, path, response.status]).toEqual([prefix, path, 200])
          else expectUnauthenticated(response)
        }
    },
  )

  test.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    'Bearer abc',
    'basic',
    `Basic ${btoa('nocolon')}`,
    basic('api', 'x'.repeat(45)),
  ])('the credentials %j are rejected', async (authorization) => {
    const request = await operations.exampleCache.get('call_read')
    expectUnauthenticated(await operations.send('call_read', request, { authorization }))
  })

  test.skipIf(isCluster).each(authorized)('%s returns 403 in a project of other users', async (name) => {
    const response = await operations.send(name, await operations.exampleCache.get(name), {
      authorization: outsider,
    })
    expect([response.status, response.json]).toEqual([403, { ...ERROR_BODY, code: 'forbidden' }])
  })

  test.skipIf(isCluster).each(writes)('%s returns 403 for a user with the role read', async (name) => {
    const response = await operations.send(name, await operations.exampleCache.get(name), {
      authorization: reader,
    })
    expect([response.status, response.json]).toEqual([403, { ...ERROR_BODY, code: 'forbidden' }])
  })
})

function expectUnauthenticated(response: TestResponse): void {
  expect([response.status, response.json]).toEqual([401, { ...ERROR_BODY, code: 'unauthenticated' }])
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
}
