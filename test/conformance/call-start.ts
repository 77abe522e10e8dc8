import { readCall, startRecord } from './call-records.ts'
import { once, check, Skip } from './check.ts'
import { hasType, recent, same } from './expect.ts'

/** Section 4.8: call/start. */
const START_FIELDS: Readonly<Record<string, unknown>> = {
  project_id: ['a list'],
  id: ['a list'],
  op_name: ['a list'],
  display_name: ['a list'],
  trace_id: ['a list'],
  parent_id: ['a list'],
  started_at: 'yesterday',
  attributes: 'a text',
  inputs: 'a text',
  wb_run_id: ['a list'],
}
for (const [field, wrong] of Object.entries(START_FIELDS)) {
  check('4.8 call/start', `start.${field} of a wrong type is rejected`, async (api) =>
    api.rejects('/call/start', { start: startRecord(api, { [field]: wrong }) }),
  )
}
for (const field of ['project_id', 'op_name']) {
  check('4.8 call/start', `start.${field} is required`, async (api) => {
    if (!api.isHeddle) throw new Skip('SPEC does not show which fields of a start record are required')
    await api.rejects('/call/start', { start: startRecord(api, { [field]: undefined }) })
  })
}
for (const field of ['id', 'trace_id', 'display_name', 'parent_id', 'wb_user_id', 'wb_run_id']) {
  check('4.8 call/start', `start.${field} may be null`, async (api) => {
    const { id } = await api.postUndocumented('/call/start', { start: startRecord(api, { [field]: null }) })
    same((await readCall(api, id))['id'], id, 'id')
  })
}
check('4.8 call/start', 'the response has the id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['id'], start['id'], 'id')
})
check('4.8 call/start', 'the response has the trace_id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['trace_id'], start['trace_id'], 'trace_id')
})

/** A minimal start record: SPEC does not show the other fields as required. */
const minimalStart = once(async (api) => {
  const start = { project_id: api.project_id, op_name: api.name('bare') }
  const response = await api.postUndocumented('/call/start', { start })
  const again = await api.postUndocumented('/call/start', { start })
  return { response, again, call: await readCall(api, response['id']) }
})
check('4.8 call/start', 'a missing id is generated', async (api) => {
  const { response, again, call } = await minimalStart(api)
  hasType(response['id'], 'string', 'id')
  same(call['id'], response['id'], 'id read')
  same(response['id'] !== again['id'] && response['id'] !== '', true, 'two ids differ')
})
check('4.8 call/start', 'a missing trace_id is generated', async (api) => {
  const { response, again, call } = await minimalStart(api)
  hasType(response['trace_id'], 'string', 'trace_id')
  same(call['trace_id'], response['trace_id'], 'trace_id read')
  same(response['trace_id'] !== again['trace_id'] && response['trace_id'] !== '', true, 'two traces differ')
})
check('4.8 call/start', 'a missing started_at is the current time', async (api) =>
  recent((await minimalStart(api)).call['started_at']),
)
check('4.8 call/start', 'missing attributes are {}', async (api) =>
  same((await minimalStart(api)).call['attributes'], {}),
)
check('4.8 call/start', 'missing inputs are {}', async (api) =>
  same((await minimalStart(api)).call['inputs'], {}),
)
check('4.8 call/start', 'a wb_user_id sent by a client is ignored', async (api) => {
  if (!api.isHeddle) throw new Skip('SPEC requires this only for feedback')
  const start = startRecord(api, { wb_user_id: 'somebody-else' })
  await api.post('/call/start', { start })
  same(
    (await readCall(api, start['id']))['wb_user_id'],
    (await minimalStart(api)).call['wb_user_id'],
    'wb_user_id',
  )
})
