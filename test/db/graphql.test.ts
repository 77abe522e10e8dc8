import { beforeAll, describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** The three GraphQL operations that SDKs send before they trace, verbatim; all others are rejected. */

const PROJECT = `query Project($name: String!, $entityName: String!) {
  project(name: $name, entityName: $entityName) {
    name
  }
}`
const UPSERT = `mutation UpsertModel($name: String!, $id: String, $entity: String!, $description: String, $repo: String) {
  upsertModel(
    input: {id: $id, name: $name, entityName: $entity, description: $description, repo: $repo}
  ) {
    model {
      name
      description
    }
  }
}`
const VIEWER = 'query DefaultEntity { viewer { username defaultEntity { name } } }'

const server = useServer()
let writer: string
let reader: string
let stranger: string

beforeAll(async () => {
  writer = await server.user('wanda', { team: 'write' })
  reader = await server.user('rita', { team: 'read' })
  stranger = await server.user('sam')
})

async function sendQuery(authorization: string, query: string, variables?: object): Promise<unknown> {
  const response = await server.as(authorization)('/graphql', { query, variables })
  expect([response.status, response.text]).toEqual([200, expect.anything()])
  return response.json
}

const errorResponse = (code: string): object => ({
  data: null,
  errors: [{ message: expect.any(String), extensions: { code } }],
})

describe('a project', () => {
  const projectVariables = { entityName: 'team', name: 'chat bot ü' }
  const modelVariables = { entity: 'team', name: 'chat bot ü' }

  test('is created by upsertModel and visible to users who may read it', async () => {
    expect(await sendQuery(writer, PROJECT, projectVariables)).toEqual({ data: { project: null } })
    expect(await sendQuery(writer, UPSERT, modelVariables)).toEqual({
      data: { upsertModel: { model: { name: 'chat bot ü', description: null } } },
    })
    const existing = { data: { project: { name: 'chat bot ü' } } }
    expect(await sendQuery(writer, PROJECT, projectVariables)).toEqual(existing)
    expect(await sendQuery(writer, UPSERT, modelVariables)).toMatchObject({
      data: { upsertModel: { model: {} } },
    })
    expect(await sendQuery(reader, PROJECT, projectVariables)).toEqual(existing)
    expect(await sendQuery(stranger, PROJECT, projectVariables)).toEqual({ data: { project: null } })
  })

  test('is not created by a user without the right to write, and the error code says so', async () => {
    for (const caller of [reader, stranger]) {
      expect(await sendQuery(caller, UPSERT, { entity: 'team', name: 'other' })).toEqual(
        errorResponse('PERMISSION_ERROR'),
      )
    }
    expect(await sendQuery(writer, PROJECT, { entityName: 'team', name: 'other' })).toEqual({
      data: { project: null },
    })
  })

  test('can be created by every user under their own username', async () => {
    expect(await sendQuery(stranger, UPSERT, { entity: 'sam', name: 'mine' })).toMatchObject({
      data: { upsertModel: { model: { name: 'mine' } } },
    })
  })

  test('must have a valid name', async () => {
    for (const name of ['a/b', '', 'a\u0000b', 7, null, undefined, 'x'.repeat(300)]) {
      expect(await sendQuery(writer, PROJECT, { entityName: 'team', name })).toEqual(
        errorResponse('BAD_REQUEST'),
      )
      expect(await sendQuery(writer, UPSERT, { entity: 'team', name })).toEqual(errorResponse('BAD_REQUEST'))
    }
  })

  test('variables are treated as values, whatever they contain', async () => {
    const name = '") { name } viewer { username } #'
    expect(await sendQuery(writer, PROJECT, { entityName: 'team', name })).toEqual({
      data: { project: null },
    })
    expect(await sendQuery(writer, UPSERT, { entity: 'team', name })).toMatchObject({
      data: { upsertModel: { model: { name } } },
    })
  })
})

test('the viewer is the authenticated user, and the default entity has that username', async () => {
  expect(await sendQuery(stranger, VIEWER)).toEqual({
    data: { viewer: { username: 'sam', defaultEntity: { name: 'sam' } } },
  })
  expect(await sendQuery(stranger, '# short\n{ me: viewer { username } }')).toEqual({
    data: { me: { username: 'sam' } },
  })
})

test.each([
  'query ServerInfo { serverInfo { frontendHost } }',
  'query Entity($entityName: String!) { viewer { username } entity(name: $entityName) { readOnly } }',
  '{ __schema { types { name } } }',
  'query { viewer { email } }',
  'query { viewer }',
  'query { viewer { username { x } } }',
  'query { upsertModel(input: {name: "a", entityName: "sam"}) { model { name } } }',
  'mutation { viewer { username } }',
  'mutation { upsertModel { model { name } } }',
  'subscription { viewer { username } }',
  'query { viewer { ...F } } fragment F on User { username }',
  `${VIEWER} ${VIEWER}`,
  'query { constructor { name } }',
  'query { viewer { toString } }',
  '',
  '}',
  `{${'viewer{'.repeat(5000)}`,
  `{viewer(a:${'{a:'.repeat(3000)}`,
  '"',
])('any other operation is rejected, and the error names the supported ones: %s', async (query) => {
  const response = await sendQuery(stranger, query, {})
  expect(response).toEqual(errorResponse('BAD_REQUEST'))
  expect(JSON.stringify(response)).toContain('three GraphQL operations')
})

test('credentials are required, and only /graphql is served', async () => {
  for (const authorization of ['', 'Basic !!!']) {
    const response = await server.as(authorization)('/graphql', { query: VIEWER })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ])
  }
  expect((await server.send('/traces/graphql', { query: VIEWER })).status).toBe(404)
  expect((await server.send('/graphql')).status).toBe(405)
  expect((await server.send('/graphql', '{"query":')).status).toBe(400)
  expect((await server.send('/graphql', { query: 7 })).status).toBe(422)
})
