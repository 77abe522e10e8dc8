import { expect, test } from 'vitest'
import { projectNames, useServer } from '../harness.ts'

/** Weave's setting of a project's maximum age of calls is one limit of its retention policy. */

const server = useServer()
const newProject = projectNames('org/ttl')

const read = (project_id: string) => server.post('/project/ttl_settings/read', { project_id })
const update = (project_id: string, retention_days?: number | null) =>
  server.post('/project/ttl_settings/update', { project_id, retention_days })
const policyPath = (project_id: string): string => `/api/v1/projects/${project_id}/retention`

test('the setting is the maximum age of calls; other limits stay', async () => {
  const project_id = newProject()
  expect(await read(project_id)).toEqual({ retention_days: null })
  expect(await update(project_id, 30)).toEqual({ retention_days: 30 })
  const limits = { payloads_max_age_seconds: 3600, payloads_max_bytes: null, keep_tags: ['golden'] }
  expect((await server.send(policyPath(project_id))).json).toMatchObject({
    calls_max_age_seconds: 30 * 86_400,
    changed_by: 'admin',
  })
  const policy = { calls_max_age_seconds: 90_000, calls_max_bytes: null, ...limits }
  await server.send(policyPath(project_id), policy, { method: 'PUT' })
  expect(await read(project_id)).toEqual({ retention_days: 2 })
  expect(await update(project_id)).toEqual({ retention_days: null })
  expect((await server.send(policyPath(project_id))).json).toMatchObject({
    calls_max_age_seconds: null,
    ...limits,
  })
})

test('it is changed by admins of the project only, in whole days', async () => {
  const project_id = newProject()
  const writer = server.as(await server.user('writer', { org: 'write' }))
  const request = { project_id, retention_days: 1 }
  expect((await writer('/project/ttl_settings/update', request)).status).toBe(403)
  expect((await writer('/project/ttl_settings/read', { project_id })).status).toBe(200)
  for (const retention_days of [0, -1, 1.5, 4_000])
    expect((await server.send('/project/ttl_settings/update', { project_id, retention_days })).status).toBe(
      422,
    )
  expect(await read(project_id)).toEqual({ retention_days: null })
})
