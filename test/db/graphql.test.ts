import { beforeAll, describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** What the SDKs ask before they trace, in their own words, and nothing more. */

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

async function ask(authorization: string, query: string, variables?: object): Promise<unknown> {
  const answer = await server.as(authorization)('/graphql', { query, variables })
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  return answer.json
}

const refused = (code: string): object => ({
  data: null,
  errors: [{ message: expect.any(String), extensions: { code } }],
})

describe('a project', () => {
  const named = { entityName: 'team', name: 'chat bot ü' }
  const made = { entity: 'team', name: 'chat bot ü' }

  test('comes into being by upsertModel, and is there for those who may read it', async () => {
    expect(await ask(writer, PROJECT, named)).toEqual({ data: { project: null } })
    expect(await ask(writer, UPSERT, made)).toEqual({
      data: { upsertModel: { model: { name: 'chat bot ü', description: null } } },
    })
    const there = { data: { project: { name: 'chat bot ü' } } }
    expect(await ask(writer, PROJECT, named)).toEqual(there)
    expect(await ask(writer, UPSERT, made)).toMatchObject({ data: { upsertModel: { model: {} } } })
    expect(await ask(reader, PROJECT, named)).toEqual(there)
    expect(await ask(stranger, PROJECT, named)).toEqual({ data: { project: null } })
  })

  test('is not made by somebody who may not write there, and the SDK can tell why', async () => {
    for (const caller of [reader, stranger]) {
      expect(await ask(caller, UPSERT, { entity: 'team', name: 'other' })).toEqual(
        refused('PERMISSION_ERROR'),
      )
    }
    expect(await ask(writer, PROJECT, { entityName: 'team', name: 'other' })).toEqual({
      data: { project: null },
    })
  })

  test('everyone may make one under their own name', async () => {
    expect(await ask(stranger, UPSERT, { entity: 'sam', name: 'mine' })).toMatchObject({
      data: { upsertModel: { model: { name: 'mine' } } },
    })
  })

  test('must have a name that fits', async () => {
    for (const name of ['a/b', '', 'a\u0000b', 7, null, undefined, 'x'.repeat(300)]) {
      expect(await ask(writer, PROJECT, { entityName: 'team', name })).toEqual(refused('BAD_REQUEST'))
      expect(await ask(writer, UPSERT, { entity: 'team', name })).toEqual(refused('BAD_REQUEST'))
    }
  })

  test('variables are values, whatever they hold', async () => {
    const name = '") { name } viewer { username } #'
    expect(await ask(writer, PROJECT, { entityName: 'team', name })).toEqual({ data: { project: null } })
    expect(await ask(writer, UPSERT, { entity: 'team', name })).toMatchObject({
      data: { upsertModel: { model: { name } } },
    })
  })
})

test('the viewer is who the credentials say, and owns the entity of that name', async () => {
  expect(await ask(stranger, VIEWER)).toEqual({
    data: { viewer: { username: 'sam', defaultEntity: { name: 'sam' } } },
  })
  expect(await ask(stranger, '# short\n{ me: viewer { username } }')).toEqual({
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
])('nothing else is answered, and the answer says what is: %s', async (query) => {
  const answer = await ask(stranger, query, {})
  expect(answer).toEqual(refused('BAD_REQUEST'))
  expect(JSON.stringify(answer)).toContain('three GraphQL operations')
})

test('credentials are needed, at this one path', async () => {
  for (const authorization of ['', 'Basic !!!']) {
    const answer = await server.as(authorization)('/graphql', { query: VIEWER })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ])
  }
  expect((await server.send('/traces/graphql', { query: VIEWER })).status).toBe(404)
  expect((await server.send('/graphql')).status).toBe(405)
  expect((await server.send('/graphql', '{"query":')).status).toBe(400)
  expect((await server.send('/graphql', { query: 7 })).status).toBe(422)
})
