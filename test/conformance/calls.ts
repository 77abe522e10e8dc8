import type { Api, Doc } from './api.ts'
import { ENDED_AT, endItem, readCall, sendBatch, startItem, startRecord, STARTED_AT } from './call-records.ts'
import { check, checkDecision, once } from './check.ts'
import { absent, EXACT, EXACT_JSON, exactNumber, hasType, includes, instant, same } from './expect.ts'

/** Section 3: a call reads back as it was sent. */
const ATTRIBUTES = { kind: 'test', level: 3, nested: { list: [1, 'two', null, false], empty: {} } }
const INPUTS = {
  question: 'Wie geht’s? 👍',
  n: 7,
  ratio: 0.25,
  missing: null,
  list: [],
  nested: { 'a.b': '\u0000\n"\\' },
}
const OUTPUT = { answer: 42, parts: ['a', { b: null }] }
const SUMMARY = {
  usage: { 'a-model': { prompt_tokens: 10, completion_tokens: 5, requests: 1 } },
  own: { kept: true },
}

const fullStart = (api: Api): Doc =>
  startRecord(api, {
    display_name: 'A name to show',
    parent_id: api.id(),
    attributes: ATTRIBUTES,
    inputs: INPUTS,
    wb_user_id: null,
    wb_run_id: `${api.project_id}/run-${api.run}`,
  })

const END = { output: OUTPUT, summary: SUMMARY, exception: 'ValueError: no' }

/** The same call written by each of the two operations: what was sent, and what is read back. */
const WRITERS: Readonly<Record<string, (api: Api) => Promise<{ sent: Doc; call: Doc }>>> = {
  'call/start': once(async (api) => {
    const sent = fullStart(api)
    await api.post('/call/start', { start: sent })
    await sendBatch(api, [endItem(sent, END)])
    return { sent, call: await readCall(api, sent['id']) }
  }),
  'call/upsert_batch': once(async (api) => {
    const sent = fullStart(api)
    await sendBatch(api, [startItem(sent), endItem(sent, END)])
    return { sent, call: await readCall(api, sent['id']) }
  }),
}

for (const [operation, write] of Object.entries(WRITERS)) {
  const subject = `call written by ${operation}`
  for (const field of [
    'id',
    'project_id',
    'op_name',
    'display_name',
    'trace_id',
    'parent_id',
    'inputs',
    'wb_run_id',
  ]) {
    check('3.4', subject, `${field} reads as it was sent`, async (api) => {
      const { sent, call } = await write(api)
      same(call[field], sent[field], field)
    })
  }
  check('3.5', subject, 'started_at is the time that was sent, to the microsecond', async (api) =>
    instant((await write(api)).call['started_at'], STARTED_AT, 'started_at'),
  )
  check('3.5', subject, 'ended_at is the time that was sent, to the microsecond', async (api) =>
    instant((await write(api)).call['ended_at'], ENDED_AT, 'ended_at'),
  )
  check('3.6', subject, 'attributes contain what was sent', async (api) =>
    includes((await write(api)).call['attributes'], ATTRIBUTES, 'attributes'),
  )
  check('3.6', subject, 'summary contains what was sent', async (api) =>
    includes((await write(api)).call['summary'], SUMMARY, 'summary'),
  )
  check('3.4', subject, 'output reads as it was sent', async (api) =>
    same((await write(api)).call['output'], OUTPUT, 'output'),
  )
  check('3.4', subject, 'exception reads as it was sent', async (api) =>
    same((await write(api)).call['exception'], END.exception, 'exception'),
  )
  check('3.7', subject, 'wb_user_id is a string', async (api) =>
    hasType((await write(api)).call['wb_user_id'], 'string'),
  )
  check('3.8', subject, 'deleted_at is null or absent', async (api) =>
    absent((await write(api)).call['deleted_at']),
  )
}

const runningCall = once(async (api) => {
  const start = startRecord(api)
  await api.post('/call/start', { start })
  return readCall(api, start['id'])
})
for (const field of [
  'display_name',
  'parent_id',
  'ended_at',
  'exception',
  'output',
  'wb_run_id',
  'deleted_at',
]) {
  check('3.9', 'running call', `${field} is null or absent`, async (api) =>
    absent((await runningCall(api))[field], field),
  )
}
checkDecision('3.14', 'running call', 'every field is present, null if there is nothing', async (api) => {
  const call = await runningCall(api)
  const missing = CALL_FIELDS.split(' ').filter((field) => !(field in call))
  same(missing, [], 'missing fields')
  if (call['summary'] !== null) hasType(call['summary'], 'object', 'summary')
})
for (const field of ['attributes', 'inputs']) {
  check('3.10', 'running call', `${field} is the empty object it was sent as`, async (api) =>
    same((await runningCall(api))[field], {}, field),
  )
}

const CALL_FIELDS =
  'id project_id op_name display_name trace_id parent_id started_at attributes inputs ended_at exception output summary wb_user_id wb_run_id deleted_at'

const OUTPUTS: Readonly<Record<string, unknown>> = {
  'a text': 'just text',
  'an empty text': '',
  'text that looks like JSON': '{"not": "parsed"}',
  'a number': -12.5,
  zero: 0,
  true: true,
  false: false,
  'a list': [1, [2, [3]], {}, []],
  'an empty list': [],
  'an empty object': {},
  null: null,
  'null in a list': [null],
  'null in an object': { a: null },
  'keys that need escapes': { 'a.b': 1, 'ü "quoted" \\ 👍': 2, '': 3 },
}
for (const [kind, output] of Object.entries(OUTPUTS)) {
  check('3.11', 'call', `output may be any JSON value: ${kind}`, async (api) => {
    const start = startRecord(api)
    await sendBatch(api, [startItem(start), endItem(start, { output })])
    same((await readCall(api, start['id']))['output'], output, 'output')
  })
}
for (const field of ['inputs', 'attributes', 'output', 'summary']) {
  const text = once(async (api) => {
    const start = startRecord(api)
    const items = [startItem(start), endItem(start)].map((item) => JSON.stringify(item)).join(',')
    const exact = items.replaceAll(new RegExp(`"${field}":(\\{\\}|null)`, 'g'), `"${field}":${EXACT_JSON}`)
    await api.postUndocumented('/call/upsert_batch', `{"batch":[${exact}]}`)
    return (await api.send('/call/read', { project_id: api.project_id, id: start['id'] })).text
  })
  for (const key of Object.keys(EXACT) as (keyof typeof EXACT)[]) {
    check('3.12', 'call', `${field} keeps the number ${EXACT[key]}`, async (api) =>
      exactNumber(await text(api), key, api.isHeddle),
    )
  }
}

check('1.11', 'call', 'started_at with an offset is the same time', async (api) => {
  const start = startRecord(api, { started_at: '2024-05-06T09:08:09.123456+02:00' })
  await api.post('/call/start', { start })
  instant((await readCall(api, start['id']))['started_at'], STARTED_AT, 'started_at')
})
check('1.11', 'call', 'started_at without a fraction is the same time', async (api) => {
  const start = startRecord(api, { started_at: '2024-05-06T07:08:09Z' })
  await api.post('/call/start', { start })
  instant((await readCall(api, start['id']))['started_at'], '2024-05-06T07:08:09Z', 'started_at')
})
check('1.9', 'call', 'id and trace_id may be any text', async (api) => {
  const start = startRecord(api, { id: api.name('Call №1'), trace_id: api.name('Trace α') })
  same(await api.post('/call/start', { start }), { id: start['id'], trace_id: start['trace_id'] })
  same((await readCall(api, start['id']))['trace_id'], start['trace_id'], 'trace_id')
})
