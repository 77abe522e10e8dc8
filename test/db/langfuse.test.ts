import { expect, test } from 'vitest'
import { basic, projectNames, useServer } from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/** What Langfuse's SDKs request besides OTLP. */

const server = useServer()
const newProject = projectNames('acme/langfuse')

/** Credentials as the SDKs send them: the project is the public key. */
async function credentials(project_id: string, rights: Record<string, 'read' | 'write'>): Promise<string> {
  const authorization = await server.user(`u${project_id.replaceAll(/\W/g, '')}`, rights)
  const [, password = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
  return basic(project_id, password)
}

async function post(project_id: string, path: string, body: Buffer | string) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': 'application/json',
      authorization: server.authorization,
      'project-id': project_id,
    },
  })
  const json: unknown = await response.json()
  return { status: response.status, json }
}

const scores = (project_id: string, sent: unknown) =>
  post(project_id, '/api/public/scores', JSON.stringify(sent))

async function feedback(project_id: string): Promise<unknown> {
  const { json } = await server.send('/feedback/query', {
    project_id,
    fields: ['feedback_type', 'weave_ref', 'payload'],
    sort_by: [{ field: 'feedback_type', direction: 'asc' }],
  })
  return json['result']
}

const span = makeSpan({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' })
const callRef = (project_id: string, id: string) => `weave:///${project_id}/call/${id}`
const CALL = '8448eb211c80319cb7ad6b7169203331'

test('the credentials of a user are valid, also of one without a project', async () => {
  const project_id = newProject()
  await post(project_id, '/v1/traces', encodeTraces([span], 'json'))
  const { json, status } = await server.send('/api/public/projects')
  expect(status).toBe(200)
  expect(json['data']).toContainEqual({
    id: project_id,
    name: project_id.split('/')[1],
    organization: { id: 'acme', name: 'acme' },
    metadata: {},
  })
  const newcomer = await server.as(await server.user('newcomer'))('/api/public/projects')
  expect(newcomer.json['data']).toMatchObject([{ id: 'newcomer/default' }])
  expect((await server.as('Bearer wrong')('/api/public/projects')).status).toBe(401)
})

test('scores of observations and traces are feedback on their calls, each once', async () => {
  const project_id = newProject()
  await post(project_id, '/v1/traces', encodeTraces([span], 'json'))
  const { traceId, spanId: observationId } = span
  const sent = [
    { traceId, observationId, name: 'accuracy', value: 0.9, comment: 'good', dataType: 'NUMERIC' },
    { traceId, name: 'topic', value: 'weather', timestamp: '2026-11-19T00:00:00Z', metadata: { a: [1] } },
  ]
  for (let i = 0; i < 2; i++)
    expect(await scores(project_id, sent)).toEqual({ status: 200, json: { message: 'Accepted' } })
  expect(await feedback(project_id)).toEqual([
    {
      feedback_type: 'evaluation.accuracy',
      weave_ref: callRef(project_id, CALL),
      payload: { value: 0.9, explanation: 'good', data_type: 'NUMERIC', trace_id: traceId },
    },
    {
      feedback_type: 'evaluation.topic',
      weave_ref: callRef(project_id, CALL),
      payload: { label: 'weather', metadata: { a: [1] }, target: 'trace', trace_id: traceId },
    },
  ])
})

test('a score with an id is replaced by the next one', async () => {
  const project_id = newProject()
  const { traceId, spanId: observationId } = span
  for (const value of [1, 0]) {
    const { json } = await scores(project_id, { id: 'score-1', traceId, observationId, name: 'ok', value })
    expect(json).toEqual({ id: 'score-1' })
  }
  expect(await feedback(project_id)).toMatchObject([{ payload: { value: 0 } }])
})

test('a score of a trace that has not arrived is stored under the id of the trace', async () => {
  const project_id = newProject()
  await scores(project_id, [{ traceId: 'trace-1', name: 'early', value: 1 }])
  expect(await feedback(project_id)).toMatchObject([{ weave_ref: callRef(project_id, 'trace-1') }])
})

test('scores that cannot be stored are counted, and the others are stored', async () => {
  const project_id = newProject()
  const { json } = await scores(project_id, [
    { traceId: span.traceId, name: 'fine', value: true },
    { sessionId: 's', name: 'session', value: 1 },
    { traceId: span.traceId, value: 1 },
  ])
  expect(json).toMatchObject({ accepted: 1, rejected: 2, errors: [{}, {}] })
  expect(await feedback(project_id)).toHaveLength(1)
})

test('the public key names the project, in which the key must have the right to write', async () => {
  const [mine, other] = [newProject(), newProject()]
  await post(other, '/v1/traces', encodeTraces([span], 'json'))
  const authorization = await credentials(mine, { [mine]: 'write' })
  const send = async (headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${server.url}/api/public/scores`, {
      method: 'POST',
      body: JSON.stringify([{ traceId: span.traceId, name: 'mine', value: 1 }]),
      headers: { 'content-type': 'application/json', ...headers },
    })
    await response.arrayBuffer()
    return response.status
  }
  expect(await send({ authorization })).toBe(200)
  expect(await feedback(mine)).toHaveLength(1)
  expect(await send({ authorization, 'project-id': other })).toBe(403)
})

test.each(['nonsense', '[1', ''])('the body %j gets 400', async (body) => {
  expect((await post(newProject(), '/api/public/scores', body)).status).toBe(400)
})

test('more than 1000 scores get 422', async () => {
  const many = Array.from({ length: 1_001 }, () => ({ traceId: 't', name: 'n', value: 1 }))
  expect((await scores(newProject(), many)).status).toBe(422)
})
