import { describe, expect, test } from 'vitest'
import { parseJsonLines, projectNames, useServer } from '../harness.ts'

/** The /v2 object routes are views of the objects that the other operations read and write. */

const server = useServer()

type Json = Record<string, unknown>

interface Version {
  object_id: string
  digest: string
  version_index: number
}

const newProject = projectNames('acme/v2')

async function get(path: string): Promise<Json> {
  const response = await server.send(path, undefined, { method: 'GET' })
  expect([response.status, response.text]).toEqual([200, expect.anything()])
  return response.json
}

async function list(path: string): Promise<Json[]> {
  const response = await server.send(path, undefined, { method: 'GET' })
  expect([response.status, response.text]).toEqual([200, expect.anything()])
  return parseJsonLines<Json>(response.text)
}

async function requestStatus(method: string, path: string): Promise<number> {
  return (await server.send(path, undefined, { method })).status
}

async function readObject(project_id: string, { object_id, digest }: Version): Promise<Json> {
  const { obj } = await server.post<{ obj: Json }>('/obj/read', { project_id, object_id, digest })
  return obj
}

const names = (views: readonly Json[]): unknown[] => views.map((view) => view['object_id'])
const CREATED = { created_at: expect.stringMatching(/^\d{4}-.*Z$/) }

const RESOURCES: Record<string, { body: Json; view: Json; published: Json }> = {
  ops: {
    body: { name: 'My op', source_code: 'def f():\n  return "ü"\n' },
    view: { code: 'def f():\n  return "ü"\n' },
    published: { kind: 'op', base_object_class: null },
  },
  datasets: {
    body: { name: 'My dataset', description: 'D', rows: [{ a: 1 }, { a: 2 }] },
    view: { name: 'My dataset', description: 'D', rows: expect.stringMatching(/^weave:\/\/\/.*\/table\//) },
    published: { kind: 'object', base_object_class: 'Dataset' },
  },
  scorers: {
    body: { name: 'My scorer', op_source_code: 'def score(): ...' },
    view: {
      name: 'My scorer',
      description: null,
      score_op: expect.stringMatching(/\/op\/my_scorer_score:/),
    },
    published: { kind: 'object', base_object_class: 'Scorer' },
  },
  evaluations: {
    body: { name: 'My evaluation', dataset: 'weave:///a/b/object/d:1', scorers: ['weave:///a/b/object/s:1'] },
    view: {
      name: 'My evaluation',
      description: null,
      dataset: 'weave:///a/b/object/d:1',
      scorers: ['weave:///a/b/object/s:1'],
      trials: 1,
      evaluation_name: null,
      evaluate_op: expect.stringContaining('/op/my_evaluation.evaluate:'),
      predict_and_score_op: expect.stringContaining('/op/my_evaluation.predict_and_score:'),
      summarize_op: expect.stringContaining('/op/my_evaluation.summarize:'),
    },
    published: { kind: 'object', base_object_class: 'Evaluation' },
  },
  models: {
    body: { name: 'My model', source_code: 'class M: ...', attributes: { t: 0.5, _bases: ['other'] } },
    view: { name: 'My model', description: null, source_code: 'class M: ...', attributes: { t: 0.5 } },
    published: { kind: 'object', base_object_class: 'Model' },
  },
}

describe.each(Object.entries(RESOURCES))('%s', (resource, { body, view, published }) => {
  const path = (project_id: string): string => `/v2/${project_id}/${resource}`
  const object_id = String(body['name']).toLowerCase().replace(' ', '_')

  test('a created version is read, listed, and visible to the other operations', async () => {
    const project_id = newProject()
    const created = await server.post<Version>(path(project_id), body)
    expect(created).toMatchObject({ object_id, version_index: 0, digest: expect.any(String) })
    const { digest } = created
    const read = { object_id, digest, version_index: 0, ...CREATED, ...view }
    for (const version of [digest, 'latest', 'v0'])
      expect(await get(`${path(project_id)}/${object_id}/versions/${version}`)).toEqual(read)
    const listed = await list(path(project_id))
    expect(listed.filter((each) => each['object_id'] === object_id)).toEqual([read])
    expect(await readObject(project_id, created)).toMatchObject({ object_id, ...published })
  })

  test('publishing the same content again creates no version; other content does', async () => {
    const project_id = newProject()
    const first = await server.post<Version>(path(project_id), body)
    expect(await server.post<Version>(path(project_id), body)).toEqual(first)
    const changed = { ...body, source_code: 'other', op_source_code: 'other', description: 'other' }
    expect(await server.post<Version>(path(project_id), changed)).toMatchObject({ version_index: 1 })
    expect(await list(`${path(project_id)}?limit=1`)).toHaveLength(1)
    expect(await list(`${path(project_id)}?limit=0`)).toEqual([])
    for (const limit of ['x', '', '1.5', '-1'])
      expect([limit, await requestStatus('GET', `${path(project_id)}?limit=${limit}`)]).toEqual([limit, 422])
  })

  test('versions are deleted one by one or all together', async () => {
    const project_id = newProject()
    const { digest } = await server.post<Version>(path(project_id), body)
    const changed = { ...body, source_code: 'other', op_source_code: 'other', description: 'other' }
    await server.post<Version>(path(project_id), changed)
    const one = `${path(project_id)}/${object_id}`
    const gone = await server.send(`${one}?digests=${digest}`, undefined, { method: 'DELETE' })
    expect([gone.status, gone.json]).toEqual([200, { num_deleted: 1 }])
    expect(await requestStatus('GET', `${one}/versions/${digest}`)).toBe(404)
    expect(await get(`${one}/versions/latest`)).toMatchObject({ version_index: 1 })
    const rest = await server.send(one, undefined, { method: 'DELETE' })
    expect([rest.status, rest.json]).toEqual([200, { num_deleted: 1 }])
    expect(names(await list(path(project_id)))).not.toContain(object_id)
    expect(await requestStatus('DELETE', one)).toBe(404)
  })

  test('an object of another class is not listed and not deleted', async () => {
    const project_id = newProject()
    const val = { _type: 'Prompt', _class_name: 'Prompt', _bases: ['Object', 'BaseModel'] }
    const other = await server.post<Version>('/obj/create', { obj: { project_id, object_id: 'other', val } })
    expect(await requestStatus('GET', `${path(project_id)}/other/versions/${other.digest}`)).toBe(404)
    expect(await requestStatus('DELETE', `${path(project_id)}/other`)).toBe(404)
    expect(await list(path(project_id))).toEqual([])
    expect(await readObject(project_id, other)).toMatchObject({ object_id: 'other' })
  })
})

test('the rows of a dataset are a table, also if it was created by another operation', async () => {
  const project_id = newProject()
  const rows = [{ a: 1.0 }, { a: 2 }, { a: 1.0 }]
  const created = await server.post<Version>(`/v2/${project_id}/datasets`, { rows })
  const view = await get(`/v2/${project_id}/datasets/Dataset/versions/${created.digest}`)
  const digest = String(view['rows']).split('/').at(-1)
  const table = await server.post<{ rows: Json[] }>('/table/query', { project_id, digest })
  expect(table.rows.map((row) => row['val'])).toEqual(rows)
  const val = {
    _type: 'Mine',
    _class_name: 'Mine',
    _bases: ['Dataset', 'Object', 'BaseModel'],
    rows: view['rows'],
  }
  await server.post('/obj/create', { obj: { project_id, object_id: 'mine', val } })
  expect(await list(`/v2/${project_id}/datasets`)).toMatchObject([
    { object_id: 'Dataset' },
    { object_id: 'mine', name: 'mine', rows: view['rows'] },
  ])
})

test("numbers in a model's attributes keep their digits", async () => {
  const project_id = newProject()
  const body = '{"name":"m","source_code":"","attributes":{"a":1.0,"b":12345678901234567890}}'
  const created = await server.send(`/v2/${project_id}/models`, body)
  const digest = String(created.json['digest'])
  const response = await server.send(`/v2/${project_id}/models/m/versions/${digest}`, undefined, {
    method: 'GET',
  })
  expect(response.text).toContain('"attributes":{"a":1.0,"b":12345678901234567890}')
  expect(created.json['model_ref']).toBe(`weave:///${project_id}/object/m:${digest}`)
})

test('a model that an SDK published without code has empty source_code', async () => {
  const project_id = newProject()
  const val = {
    _type: 'M',
    _class_name: 'M',
    _bases: ['Model', 'Object', 'BaseModel'],
    predict: 'weave:///x',
  }
  const { digest } = await server.post<Version>('/obj/create', { obj: { project_id, object_id: 'sdk', val } })
  expect(await get(`/v2/${project_id}/models/sdk/versions/${digest}`)).toMatchObject({
    name: 'sdk',
    source_code: '',
    attributes: { predict: 'weave:///x' },
  })
})

test('a name without a letter is rejected with a reason', async () => {
  const response = await server.send(`/v2/${newProject()}/ops`, { name: ':/?'.replace('/', '') })
  expect([response.status, response.json['reason']]).toEqual([
    400,
    expect.stringContaining('must contain a letter'),
  ])
})
