import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { once, check } from './check.ts'
import { includes, same } from './expect.ts'

/** Section 3: call/read. */
const SUMMARY = { usage: { 'a-model': { prompt_tokens: 10, completion_tokens: 5, requests: 1 } } }

const finishedCall = once(async (api) => {
  const start = startRecord(api, { inputs: { a: 1 } })
  await sendBatch(api, [startItem(start), endItem(start, { output: 'done', summary: SUMMARY })])
  return readCall(api, start['id'])
})

check('3.1', 'call/read', 'call is null when it does not exist', async (api) =>
  same((await api.post('/call/read', { project_id: api.project_id, id: api.id() }))['call'], null, 'call'),
)
for (const include_costs of [null, false, true]) {
  check(
    '3.2',
    'call/read',
    `include_costs ${include_costs} changes no field of the call but summary`,
    async (api) => {
      const call = await finishedCall(api)
      const other = await readCall(api, call['id'], { include_costs })
      same({ ...other, summary: null }, { ...call, summary: null }, 'call')
      includes(other['summary'], SUMMARY, 'summary')
    },
  )
}
check('3.3', 'call/read', 'include_costs is false when omitted', async (api) => {
  const call = await finishedCall(api)
  same(await readCall(api, call['id'], { include_costs: false }), await readCall(api, call['id']), 'call')
})
