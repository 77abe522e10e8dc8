import type { Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check } from './check.ts'
import { hasType, includes, same } from './expect.ts'

/** Section 4.4: call/upsert_batch. */
const TITLE = '4.4 call/upsert_batch'

check(TITLE, 'an empty batch returns an empty res', async (api) => same(await sendBatch(api, []), []))
check(TITLE, 'a start returns its id and trace_id', async (api) => {
  const start = startRecord(api)
  includes(
    (await sendBatch(api, [startItem(start)]))[0],
    { id: start['id'], trace_id: start['trace_id'] },
    'res[0]',
  )
})
check(TITLE, 'a start without ids returns the generated ids', async (api) => {
  const { res } = await api.postUndocumented('/call/upsert_batch', {
    batch: [startItem(startRecord(api, { id: undefined, trace_id: undefined }))],
  })
  const [generated] = res as Doc[]
  hasType(generated?.['id'], 'string', 'id')
  same((await readCall(api, generated?.['id']))['trace_id'], generated?.['trace_id'], 'trace_id')
})
check(TITLE, 'an end returns an object', async (api) => {
  const start = startRecord(api)
  hasType((await sendBatch(api, [startItem(start), endItem(start)]))[1], 'object', 'res[1]')
})
check(TITLE, 'res has one element for each item, in the same order', async (api) => {
  const starts = Array.from({ length: 20 }, () => startRecord(api))
  const res = await sendBatch(api, starts.map(startItem))
  same(
    res.map(({ id }) => id),
    starts.map(({ id }) => id),
    'ids',
  )
})
check(TITLE, 'a batch may mix starts and ends; res keeps their order', async (api) => {
  const [a, b] = [startRecord(api), startRecord(api)]
  const res = await sendBatch(api, [startItem(a), endItem(a), startItem(b), endItem(b)])
  same(res.length, 4, 'length of res')
  same([res[0]?.['id'], res[2]?.['id']], [a['id'], b['id']], 'ids of the starts')
})
check(TITLE, 'every call of a batch can be read', async (api) => {
  const starts = Array.from({ length: 100 }, (_, n) => startRecord(api, { inputs: { n } }))
  await sendBatch(api, starts.map(startItem))
  same((await readCall(api, starts[0]?.['id']))['inputs'], { n: 0 }, 'the first')
  same((await readCall(api, starts[99]?.['id']))['inputs'], { n: 99 }, 'the last')
})
check(TITLE, 'an end before its start in one batch produces the same call', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  await sendBatch(api, [endItem(start, { output: 'late' }), startItem(start)])
  includes(await readCall(api, start['id']), { inputs: { a: 1 }, output: 'late' }, 'call')
})
check(TITLE, 'an end in an earlier request than its start produces the same call', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  await sendBatch(api, [endItem(start, { output: 'early' })])
  await api.post('/call/start', { start })
  includes(await readCall(api, start['id']), { inputs: { a: 1 }, output: 'early' }, 'call')
})
check(TITLE, 'a child may arrive before its parent', async (api) => {
  const parent = startRecord(api)
  const child = startRecord(api, { trace_id: parent['trace_id'], parent_id: parent['id'] })
  await sendBatch(api, [startItem(child)])
  await sendBatch(api, [startItem(parent)])
  same((await readCall(api, child['id']))['parent_id'], parent['id'], 'parent_id')
})
check(TITLE, 'a batch sent again changes nothing', async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  const items = [startItem(start), endItem(start, { output: 'once' })]
  await sendBatch(api, items)
  const before = await readCall(api, start['id'])
  await sendBatch(api, items)
  same(await readCall(api, start['id']), before, 'call')
})
for (const [name, item] of Object.entries({
  'with an unknown mode': { mode: 'pause', req: { start: {} } },
  'without mode': { req: { start: {} } },
  'without req': { mode: 'start' },
  'without the record its mode names': { mode: 'start', req: {} },
  'that is not an object': 'start',
})) {
  check(TITLE, `an item ${name} is rejected`, async (api) =>
    api.rejects('/call/upsert_batch', { batch: [item] }),
  )
}
