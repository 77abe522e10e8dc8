import type { Api, Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision, once } from './check.ts'
import { hasType, same } from './expect.ts'
import { costs, feedback, feedbackBody, fieldIs, objects, table, versions } from './fixtures.ts'

/** Section 13: the three kinds of refs, and project scope. */
const KINDS = ['object', 'op', 'call'] as const
const makeRef = (api: Api, kind: (typeof KINDS)[number]): string =>
  api.ref(kind, kind === 'call' ? api.id() : `${kind}-${api.run}:0123456789abcdef`)

for (const kind of KINDS) {
  const called = once(async (api) => {
    const ref = makeRef(api, kind)
    const start = startRecord(api, { inputs: { self: ref } })
    await sendBatch(api, [startItem(start), endItem(start, { output: { made: ref } })])
    return { ref, call: await readCall(api, start['id']) }
  })
  check('13.4', `${kind} ref`, 'feedback can be attached to it', async (api) => {
    const item_ref = makeRef(api, kind)
    const { id } = await api.post('/feedback/replace', feedbackBody(api, { item_ref }))
    hasType(id, 'string', 'id')
    const found = { project_id: api.project_id, fields: ['item_ref'], query: fieldIs('id', id) }
    const { result } = await api.postUndocumented('/feedback/query', found)
    same(
      (result as Doc[]).map((record) => record['item_ref']),
      [item_ref],
      'item_ref',
    )
  })
  check('13.5', `${kind} ref`, 'it is unchanged in the inputs of a call', async (api) => {
    const { ref, call } = await called(api)
    same(call['inputs'], { self: ref }, 'inputs')
  })
  check('13.5', `${kind} ref`, 'it is unchanged in the output of a call', async (api) => {
    const { ref, call } = await called(api)
    same(call['output'], { made: ref }, 'output')
  })
  for (const key of ['input_refs', 'output_refs']) {
    check('13.6', `${kind} ref`, `calls are found by ${key}`, async (api) => {
      const body = { project_id: api.project_id, filter: { [key]: [(await called(api)).ref] } }
      same((await api.post('/calls/query_stats', body))['count'], 1, 'count')
    })
  }
}
check('13.7', 'op ref', 'a call may have it as op_name, and is found by it', async (api) => {
  const op_name = makeRef(api, 'op')
  const start = startRecord(api, { op_name })
  await api.post('/call/start', { start })
  same((await readCall(api, start['id']))['op_name'], op_name, 'op_name')
  const body = { project_id: api.project_id, filter: { op_names: [op_name] } }
  same((await api.post('/calls/query_stats', body))['count'], 1, 'count')
})

/** A record of one project is not visible in another. A server may also respond that the other project does not exist. */
const callId = once(async (api) => (await api.post('/call/start', { start: startRecord(api) }))['id'])

const OTHER_PROJECT_READS: Readonly<
  Record<string, (api: Api) => Promise<{ body: Doc; nothing: Doc | null }>>
> = {
  '/call/read': async (api) => ({ body: { id: await callId(api) }, nothing: { call: null } }),
  '/calls/query_stats': async (api) => ({
    body: { filter: { call_ids: [await callId(api)] } },
    nothing: { count: 0 },
  }),
  '/objs/query': async (api) => ({
    body: { filter: { object_ids: await objects(api) } },
    nothing: { objs: [] },
  }),
  '/obj/read': async (api) => {
    const { object_id, digests } = await versions(api)
    return { body: { object_id, digest: digests[0] }, nothing: null }
  },
  '/table/query': async (api) => ({ body: { digest: (await table(api)).digest }, nothing: { rows: [] } }),
  '/feedback/query': async (api) => {
    const { feedback_type } = await feedback(api)
    return {
      body: { fields: ['id'], query: fieldIs('feedback_type', feedback_type) },
      nothing: { result: [] },
    }
  },
  '/cost/query': async (api) => {
    const [first] = await costs(api)
    return { body: { query: fieldIs('llm_id', first?.llm_id) }, nothing: { results: [] } }
  },
}
for (const [path, createRead] of Object.entries(OTHER_PROJECT_READS)) {
  check('13.3', path.slice(1), 'records of this project are not found in another', async (api) => {
    const { body, nothing: empty } = await createRead(api)
    const project_id = `${api.project_id}-other-${api.run}`
    const { status, text } = await api.send(path, { project_id, ...body })
    if (status === 403 || status === 404) return
    same(status, 200, 'status')
    const got = JSON.parse(text) as Doc
    if (empty === null) throw new Error('the object was read from another project')
    for (const [key, value] of Object.entries(empty)) same(got[key], value, key)
  })
}
checkDecision('13.3', 'feedback/replace', 'the same id in two projects is two records', async (api) => {
  const feedback_id = api.id()
  const projects = [api.project_id, `${api.project_id}-other-${api.run}`]
  for (const project_id of projects) {
    const item_ref = `${api.target.scheme}:///${project_id}/call/x`
    await api.post(
      '/feedback/replace',
      feedbackBody(api, { project_id, item_ref, feedback_id, payload: { project_id } }),
    )
  }
  for (const project_id of projects) {
    const { result } = await api.post('/feedback/query', {
      project_id,
      fields: ['payload'],
      query: fieldIs('id', feedback_id),
    })
    same(result, [{ payload: { project_id } }], 'result')
  }
})
