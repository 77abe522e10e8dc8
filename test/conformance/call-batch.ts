import type { Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision } from './check.ts'
import { hasType, includes, recent, same } from './expect.ts'

/** Section 2: call/upsert_batch. */
const TITLE = 'call/upsert_batch'

check('2.1', TITLE, 'an empty batch returns an empty res', async (api) => same(await sendBatch(api, []), []))
check('2.2', TITLE, 'a start returns its id and trace_id', async (api) => {
  const start = startRecord(api)
  includes(
    (await sendBatch(api, [startItem(start)]))[0],
    { id: start['id'], trace_id: start['trace_id'] },
    'res[0]',
  )
})
check('2.2', TITLE, 'a start without ids returns the generated ids', async (api) => {
  const { res } = await api.postUndocumented('/call/upsert_batch', {
    batch: [startItem(startRecord(api, { id: undefined, trace_id: undefined }))],
  })
  const [generated] = res as Doc[]
  hasType(generated?.['id'], 'string', 'id')
  same((await readCall(api, generated?.['id']))['trace_id'], generated?.['trace_id'], 'trace_id')
})
check('2.3', TITLE, 'an end returns an object', async (api) => {
  const start = startRecord(api)
  hasType((await sendBatch(api, [startItem(start), endItem(start)]))[1], 'object', 'res[1]')
})
check('2.1', TITLE, 'res has one element for each item, in the same order', async (api) => {
  const starts = Array.from({ length: 20 }, () => startRecord(api))
  const res = await sendBatch(api, starts.map(startItem))
  same(
    res.map(({ id }) => id),
    starts.map(({ id }) => id),
    'ids',
  )
})
check('2.1', TITLE, 'a batch may mix starts and ends; res keeps their order', async (api) => {
  const [a, b] = [startRecord(api), startRecord(api)]
  const res = await sendBatch(api, [startItem(a), endItem(a), startItem(b), endItem(b)])
  same(res.length, 4, 'length of res')
  same([res[0]?.['id'], res[2]?.['id']], [a['id'], b['id']], 'ids of the starts')
})
check('2.4', TITLE, 'every call of a batch can be read', async (api) => {
  const starts = Array.from({ length: 100 }, (_, n) => startRecord(api, { inputs: { n } }))
  await sendBatch(api, starts.map(startItem))
  same((await readCall(api, starts[0]?.['id']))['inputs'], { n: 0 }, 'the first')
  same((await readCall(api, starts[99]?.['id']))['inputs'], { n: 99 }, 'the last')
})
check('2.5', TITLE, 'an end before its start in one batch produces the same call', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  await sendBatch(api, [endItem(start, { output: 'late' }), startItem(start)])
  includes(await readCall(api, start['id']), { inputs: { a: 1 }, output: 'late' }, 'call')
})
check('2.5', TITLE, 'an end in an earlier request than its start produces the same call', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  await sendBatch(api, [endItem(start, { output: 'early' })])
  await api.post('/call/start', { start })
  includes(await readCall(api, start['id']), { inputs: { a: 1 }, output: 'early' }, 'call')
})
check('2.6', TITLE, 'a child may arrive before its parent', async (api) => {
  const parent = startRecord(api)
  const child = startRecord(api, { trace_id: parent['trace_id'], parent_id: parent['id'] })
  await sendBatch(api, [startItem(child)])
  await sendBatch(api, [startItem(parent)])
  same((await readCall(api, child['id']))['parent_id'], parent['id'], 'parent_id')
})
check('2.7', TITLE, 'a batch sent again changes nothing', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  const items = [startItem(start), endItem(start, { output: 'once' })]
  await sendBatch(api, items)
  const before = await readCall(api, start['id'])
  await sendBatch(api, items)
  same(await readCall(api, start['id']), before, 'call')
})
const BAD_ITEMS: Readonly<Record<string, (start: Doc, end: Doc) => unknown>> = {
  'with an unknown mode': (start) => ({ ...start, mode: 'pause' }),
  'with a mode in capitals': (start) => ({ ...start, mode: 'START' }),
  'without mode': (start) => ({ req: start['req'] }),
  'without req': () => ({ mode: 'start' }),
  'with a start that its mode does not name': (start) => ({ mode: 'end', req: start['req'] }),
  'with an end that its mode does not name': (_, end) => ({ mode: 'start', req: end['req'] }),
  'without the start that its mode names': () => ({ mode: 'start', req: {} }),
  'without the end that its mode names': () => ({ mode: 'end', req: {} }),
  'that is a text': () => 'start',
  'that is a number': () => 1,
  'that is null': () => null,
}
for (const [name, makeItem] of Object.entries(BAD_ITEMS)) {
  check('2.8', TITLE, `an item ${name} is rejected`, async (api) => {
    const start = startRecord(api)
    const item = makeItem(startItem(start), endItem(start))
    await api.rejects('/call/upsert_batch', { batch: [item] })
  })
}
check('2.9', TITLE, 'one invalid item rejects the batch, and nothing of it is stored', async (api) => {
  const [good, bad] = [startRecord(api), startRecord(api, { op_name: 5 })]
  await api.rejectsNaming('op_name', '/call/upsert_batch', { batch: [startItem(good), startItem(bad)] })
  const { call } = await api.post('/call/read', { project_id: api.project_id, id: good['id'] })
  same(call, null, 'call')
})

const BAD_ENDS: Readonly<Record<string, readonly unknown[]>> = {
  exception: [1, {}],
  summary: [1, 'x', []],
  id: [null, 1, undefined],
  project_id: [null, 1, 'x', undefined],
}
for (const [field, values] of Object.entries(BAD_ENDS)) {
  for (const value of values) {
    check(
      '2.10',
      TITLE,
      `${field} ${JSON.stringify(value) ?? 'omitted'} of an end is rejected`,
      async (api) => {
        const batch = [endItem(startRecord(api), { [field]: value })]
        await api.rejectsNaming(field, '/call/upsert_batch', { batch })
      },
    )
  }
}
check('2.11', TITLE, 'an end with project_id and id alone ends the call now', async (api) => {
  const start = startRecord(api)
  const { project_id, id } = start
  await sendBatch(api, [startItem(start), { mode: 'end', req: { end: { project_id, id } } }])
  recent((await readCall(api, id))['ended_at'], 'ended_at')
})
check('2.12', TITLE, 'exception may be empty, and may have characters beyond ASCII', async (api) => {
  for (const exception of ['', 'é🎉\n']) {
    const start = startRecord(api)
    await sendBatch(api, [startItem(start), endItem(start, { exception })])
    same((await readCall(api, start['id']))['exception'], exception, 'exception')
  }
})
checkDecision('2.13', TITLE, "a client's own key weave in summary is kept", async (api) => {
  const start = startRecord(api)
  await sendBatch(api, [startItem(start), endItem(start, { summary: { weave: { mine: 1 }, x: 2 } })])
  const { weave, x } = (await readCall(api, start['id']))['summary'] as Doc
  same([(weave as Doc)['mine'], x], [1, 2], 'summary')
})
checkDecision('2.14', TITLE, 'items of two projects are stored in their projects', async (api) => {
  const other = startRecord(api, { project_id: `${api.project_id}-other-${api.run}` })
  await sendBatch(api, [startItem(startRecord(api)), startItem(other)])
  const { call } = await api.post('/call/read', { project_id: other['project_id'], id: other['id'] })
  includes(call, { id: other['id'], project_id: other['project_id'] }, 'call')
})
check('2.4', TITLE, '5,000 items: results in order, and all are counted at once', async (api) => {
  const op_name = api.name('many')
  const starts = Array.from({ length: 5000 }, (_, i) => startRecord(api, { op_name, inputs: { i } }))
  const res = await sendBatch(api, starts.map(startItem))
  same(
    res.map(({ id }) => id),
    starts.map(({ id }) => id),
    'ids',
  )
  const { project_id } = api
  const counted = async (filter: Doc) =>
    (await api.post('/calls/query_stats', { project_id, filter }))['count']
  same(await counted({ op_names: [op_name] }), 5000, 'count')
  same(await counted({ call_ids: starts.slice(0, 1000).map(({ id }) => id) }), 1000, 'count of 1,000 ids')
})
