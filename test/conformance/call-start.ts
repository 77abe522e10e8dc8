import { readCall, startRecord } from './call-records.ts'
import { once, row, Skip } from './check.ts'
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
  row('4.8 call/start', `start.${field} of a wrong type is refused`, async (api) =>
    api.refuses('/call/start', { start: startRecord(api, { [field]: wrong }) }),
  )
}
for (const field of ['project_id', 'op_name']) {
  row('4.8 call/start', `start.${field} is required`, async (api) => {
    if (!api.own) throw new Skip('SPEC does not show which fields of a start record are required')
    await api.refuses('/call/start', { start: startRecord(api, { [field]: undefined }) })
  })
}
for (const field of ['id', 'trace_id', 'display_name', 'parent_id', 'wb_user_id', 'wb_run_id']) {
  row('4.8 call/start', `start.${field} may be null`, async (api) => {
    const { id } = await api.postUnshown('/call/start', { start: startRecord(api, { [field]: null }) })
    same((await readCall(api, id))['id'], id, 'id')
  })
}
row('4.8 call/start', 'the answer has the id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['id'], start['id'], 'id')
})
row('4.8 call/start', 'the answer has the trace_id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['trace_id'], start['trace_id'], 'trace_id')
})

/** A start record without these is one a client may send: SPEC does not show them as required. */
const bare = once(async (api) => {
  const start = { project_id: api.project_id, op_name: api.name('bare') }
  const answer = await api.postUnshown('/call/start', { start })
  const again = await api.postUnshown('/call/start', { start })
  return { answer, again, call: await readCall(api, answer['id']) }
})
row('4.8 call/start', 'an id is made when it is absent', async (api) => {
  const { answer, again, call } = await bare(api)
  hasType(answer['id'], 'string', 'id')
  same(call['id'], answer['id'], 'id read')
  same(answer['id'] !== again['id'] && answer['id'] !== '', true, 'two ids differ')
})
row('4.8 call/start', 'a trace_id is made when it is absent', async (api) => {
  const { answer, again, call } = await bare(api)
  hasType(answer['trace_id'], 'string', 'trace_id')
  same(call['trace_id'], answer['trace_id'], 'trace_id read')
  same(answer['trace_id'] !== again['trace_id'] && answer['trace_id'] !== '', true, 'two traces differ')
})
row('4.8 call/start', 'started_at is now when it is absent', async (api) =>
  recent((await bare(api)).call['started_at']),
)
row('4.8 call/start', 'attributes is {} when it is absent', async (api) =>
  same((await bare(api)).call['attributes'], {}),
)
row('4.8 call/start', 'inputs is {} when it is absent', async (api) =>
  same((await bare(api)).call['inputs'], {}),
)
row('4.8 call/start', 'a wb_user_id that a client sends is not believed', async (api) => {
  if (!api.own) throw new Skip('SPEC says so of feedback only')
  const start = startRecord(api, { wb_user_id: 'somebody-else' })
  await api.post('/call/start', { start })
  same((await readCall(api, start['id']))['wb_user_id'], (await bare(api)).call['wb_user_id'], 'wb_user_id')
})
