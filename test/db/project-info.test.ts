import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/sizes'

const upload = async (text: string, project = project_id): Promise<void> => {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new Blob([text]), 'blob')
  const response = await server.send('/file/create', undefined, { method: 'POST', body: form })
  expect(response.status).toBe(200)
}

test('the internal id of a project has no slash; SDKs use it in digests of refs', async () => {
  const response = await server.send('/service/projects_info', { project_ids: [project_id, project_id] })
  expect(response.json).toEqual([
    {
      external_project_id: project_id,
      internal_project_id: Buffer.from(project_id).toString('base64url'),
    },
  ])
  const outsider = await server.user('outsider', { 'other/one': 'read' })
  const request = { project_ids: ['other/one', project_id] }
  expect((await server.as(outsider)('/service/projects_info', request)).status).toBe(403)
  const allowed = await server.as(outsider)('/service/projects_info', { project_ids: ['other/one'] })
  expect(allowed.json).toMatchObject([{ external_project_id: 'other/one' }])
})

test('the version is public', async () => {
  const response = await server.as('')('/version')
  expect([response.status, response.json]).toEqual([
    200,
    { version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  ])
})

test('several tables are counted in one request; unknown ones are omitted', async () => {
  const table = async (...rows: unknown[]): Promise<string> =>
    (await server.post<{ digest: string }>('/table/create', { table: { project_id, rows } })).digest
  const three = await table({ a: 1 }, { a: 22 }, { a: 1 })
  const none = await table()
  const digests = [none, 'unknown', three, three]
  expect(await server.post('/table/query_stats_batch', { project_id, digests })).toEqual({
    tables: [
      { digest: none, count: 0, storage_size_bytes: null },
      { digest: three, count: 3, storage_size_bytes: null },
    ],
  })
  const sized = { project_id, digests, include_storage_size: true }
  expect(await server.post('/table/query_stats_batch', sized)).toEqual({
    tables: [
      { digest: none, count: 0, storage_size_bytes: 0 },
      { digest: three, count: 3, storage_size_bytes: '{"a":1}{"a":22}{"a":1}'.length },
    ],
  })
  expect(await server.post('/table/query_stats_batch', { project_id })).toEqual({ tables: [] })
})

test('sizes count each content once, and nothing of other projects', async () => {
  const counted = 'acme/counted'
  const empty = {
    trace_storage_size_bytes: 0,
    objects_storage_size_bytes: 0,
    tables_storage_size_bytes: 0,
    files_storage_size_bytes: 0,
  }
  expect(await server.post('/project/stats', { project_id: counted })).toEqual(empty)
  for (const project of [counted, 'acme/not-counted']) {
    for (const text of ['12345', '12345', 'x'.repeat(600 * 1024)]) await upload(text, project)
    await server.post('/table/create', { table: { project_id: project, rows: [{ a: 1 }, { a: 1 }] } })
    await server.post('/obj/create', { obj: { project_id: project, object_id: 'm', val: { b: 2 } } })
    await server.post('/obj/create', { obj: { project_id: project, object_id: 'gone', val: { b: 3 } } })
    await server.post('/obj/delete', { project_id: project, object_id: 'gone' })
    const start = { project_id: project, id: 'c', op_name: 'op', inputs: { q: 1 }, attributes: {} }
    await server.post('/call/start', { start })
  }
  expect(await server.post('/project/stats', { project_id: counted })).toEqual({
    trace_storage_size_bytes: expect.any(Number),
    objects_storage_size_bytes: '{"b":2}'.length,
    tables_storage_size_bytes: '{"a":1}'.length,
    files_storage_size_bytes: 5 + 600 * 1024,
  })
  for (const path of ['/files/query_stats', '/files/stats', '/traces/files/stats']) {
    expect(await server.post(path, { project_id: counted })).toEqual({ total_size_bytes: 5 + 600 * 1024 })
  }
})
