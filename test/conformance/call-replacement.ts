import type { Api, Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision } from './check.ts'
import { fail, microseconds, same } from './expect.ts'
import { fieldIs } from './fixtures.ts'

/** Section 2: a record of a call that is sent again. The last acknowledged start and the last acknowledged end are the call. */
const TITLE = 'call/upsert_batch'

/** One pair could pass by luck. */
const CALLS = 15
const TIMES = {
  'an earlier': '2024-05-06T07:00:00Z',
  'the same': '2024-05-06T08:00:00Z',
  'a later': '2024-05-06T09:00:00Z',
}
const FIRST_TIME = TIMES['the same']

/** Every field says which record it is of. */
function markedStart(api: Api, id: string, mark: string, started_at: string): Doc {
  return startRecord(api, {
    id,
    op_name: api.name(`op-${mark}`),
    display_name: `name ${mark}`,
    trace_id: api.name(`trace-${mark}`),
    parent_id: api.name(`parent-${mark}`),
    started_at,
    attributes: { mark },
    inputs: { mark, [`only ${mark}`]: id },
    wb_run_id: api.name(`run-${mark}`),
  })
}

function markedEnd(api: Api, id: string, mark: string, ended_at: string, hasFailed = false): Doc {
  const result = hasFailed
    ? { output: null, exception: `error ${mark}` }
    : { output: { mark }, exception: null }
  return endItem({ project_id: api.project_id, id }, { ended_at, summary: { [mark]: 1 }, ...result })
}

const time = (value: unknown): unknown =>
  typeof value === 'string' ? String(microseconds(value)) : (value ?? null)

/** The fields of a call that come from its start, comparable with those of the record. */
function ofStart(call: Doc): Doc {
  const {
    op_name,
    display_name = null,
    trace_id,
    parent_id = null,
    attributes,
    inputs,
    wb_run_id = null,
  } = call
  return {
    op_name,
    display_name,
    trace_id,
    parent_id,
    attributes,
    inputs,
    wb_run_id,
    time: time(call['started_at']),
  }
}

/** Those that come from its end. The server adds `summary.weave`. */
function ofEnd({ output = null, exception = null, summary, ended_at }: Doc): Doc {
  const own = Object.entries((summary ?? {}) as Doc).filter(([key]) => key !== 'weave')
  return { output, exception, summary: Object.fromEntries(own), time: time(ended_at) }
}

const endOf = (item: Doc): Doc => (item['req'] as { end: Doc }).end

/** Runs a trial for several new calls at the same time. */
async function forCalls(api: Api, trial: (id: string) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CALLS }, () => trial(api.id())))
}

const SENDERS: Readonly<Record<string, (api: Api, start: Doc) => Promise<unknown>>> = {
  'call/start': (api, start) => api.post('/call/start', { start }),
  'call/upsert_batch': (api, start) => sendBatch(api, [startItem(start)]),
}
for (const [operation, send] of Object.entries(SENDERS)) {
  for (const [which, started_at] of Object.entries(TIMES)) {
    checkDecision(
      '2.18',
      operation,
      `a second start with ${which} time replaces the first as a whole`,
      async (api) =>
        forCalls(api, async (id) => {
          const second = markedStart(api, id, 'second', started_at)
          await send(api, markedStart(api, id, 'first', FIRST_TIME))
          await send(api, second)
          same(ofStart(await readCall(api, id)), ofStart(second), 'call')
        }),
    )
  }
}
checkDecision('2.18', TITLE, 'fields that a second start leaves out are not kept', async (api) =>
  forCalls(api, async (id) => {
    await sendBatch(api, [startItem(markedStart(api, id, 'first', FIRST_TIME))])
    const { project_id } = api
    const bare = {
      project_id,
      id,
      op_name: api.name('bare'),
      trace_id: api.name('bare'),
      started_at: FIRST_TIME,
    }
    await sendBatch(api, [startItem(bare)])
    same(ofStart(await readCall(api, id)), ofStart({ ...bare, attributes: {}, inputs: {} }), 'call')
  }),
)

for (const hasFailed of [false, true]) {
  for (const [which, ended_at] of Object.entries(TIMES)) {
    const name = `a second end ${hasFailed ? 'with an exception ' : ''}with ${which} time replaces the first as a whole`
    checkDecision('2.19', TITLE, name, async (api) =>
      forCalls(api, async (id) => {
        const second = markedEnd(api, id, 'second', ended_at, hasFailed)
        await sendBatch(api, [startItem(startRecord(api, { id }))])
        await sendBatch(api, [markedEnd(api, id, 'first', FIRST_TIME)])
        await sendBatch(api, [second])
        same(ofEnd(await readCall(api, id)), ofEnd(endOf(second)), 'call')
      }),
    )
  }
}
checkDecision('2.19', TITLE, 'fields that a second end leaves out are not kept', async (api) =>
  forCalls(api, async (id) => {
    const end = { project_id: api.project_id, id, ended_at: FIRST_TIME, exception: 'second' }
    await sendBatch(api, [startItem(startRecord(api, { id })), markedEnd(api, id, 'first', FIRST_TIME)])
    await sendBatch(api, [{ mode: 'end', req: { end } }])
    same(ofEnd(await readCall(api, id)), ofEnd(end), 'call')
  }),
)

for (const order of ['start, end, start', 'start, end, end', 'end, start, end', 'end, start, start']) {
  checkDecision('2.20', TITLE, `${order}: the last of each is the call`, async (api) =>
    forCalls(api, async (id) => {
      let [start, end]: Doc[] = []
      for (const kind of order.split(', ')) {
        if (kind === 'start')
          start = markedStart(api, id, start === undefined ? 'first' : 'second', FIRST_TIME)
        else end = markedEnd(api, id, end === undefined ? 'first' : 'second', TIMES['a later'])
        await sendBatch(api, kind === 'start' ? [startItem(start ?? {})] : [end ?? {}])
      }
      const call = await readCall(api, id)
      same([ofStart(call), ofEnd(call)], [ofStart(start ?? {}), ofEnd(endOf(end ?? {}))], 'call')
    }),
  )
}

const COUNTED: Readonly<Record<string, (api: Api, mark: string) => Doc>> = {
  op_names: (api, mark) => ({ filter: { op_names: [api.name(`op-${mark}`)] } }),
  trace_ids: (api, mark) => ({ filter: { trace_ids: [api.name(`trace-${mark}`)] } }),
  parent_ids: (api, mark) => ({ filter: { parent_ids: [api.name(`parent-${mark}`)] } }),
  wb_run_ids: (api, mark) => ({ filter: { wb_run_ids: [api.name(`run-${mark}`)] } }),
  'a query on inputs': (_, mark) => ({ query: fieldIs('inputs.mark', mark) }),
  'a query on display_name': (_, mark) => ({ query: fieldIs('display_name', `name ${mark}`) }),
}
for (const [name, body] of Object.entries(COUNTED)) {
  checkDecision('2.21', 'calls/query_stats', `${name} counts second starts only, each once`, async (api) => {
    const project_id = `${api.project_id}-again-${api.id()}`
    for (const mark of ['old', 'new'])
      await sendBatch(
        api,
        Array.from({ length: CALLS }, (_, n) => ({
          ...markedStart(api, `call ${n}`, mark, FIRST_TIME),
          project_id,
        })).map(startItem),
      )
    const count = async (fields: Doc): Promise<unknown> =>
      (await api.post('/calls/query_stats', { project_id, ...fields }))['count']
    same(
      [await count({}), await count(body(api, 'new')), await count(body(api, 'old'))],
      [CALLS, CALLS, 0],
      'all calls, second and first starts',
    )
  })
}

/** `seen` is one of two records, and no mixture of both. */
function oneOf(seen: Doc, first: Doc, second: Doc): void {
  const text = JSON.stringify(seen)
  if (text !== JSON.stringify(first) && text !== JSON.stringify(second))
    fail('call', 'one of two records', seen)
}
checkDecision('2.22', TITLE, 'two starts of a call in one batch are not mixed', async (api) =>
  forCalls(api, async (id) => {
    const [first, second] = ['first', 'second'].map((mark) => markedStart(api, id, mark, FIRST_TIME)) as [
      Doc,
      Doc,
    ]
    await sendBatch(api, [startItem(first), startItem(second)])
    oneOf(ofStart(await readCall(api, id)), ofStart(first), ofStart(second))
  }),
)
checkDecision('2.22', TITLE, 'two ends of a call in one batch are not mixed', async (api) =>
  forCalls(api, async (id) => {
    const [first, second] = [
      markedEnd(api, id, 'first', FIRST_TIME),
      markedEnd(api, id, 'second', FIRST_TIME, true),
    ] as const
    await sendBatch(api, [startItem(startRecord(api, { id })), first, second])
    oneOf(ofEnd(await readCall(api, id)), ofEnd(endOf(first)), ofEnd(endOf(second)))
  }),
)
check(
  '2.7',
  TITLE,
  'a start and an end that are sent again in any order and request change nothing',
  async (api) =>
    forCalls(api, async (id) => {
      const start = markedStart(api, id, 'only', FIRST_TIME)
      const end = markedEnd(api, id, 'only', TIMES['a later'])
      await sendBatch(api, [startItem(start), end])
      const before = await readCall(api, id)
      await sendBatch(api, [end])
      await api.post('/call/start', { start })
      await sendBatch(api, [startItem(start), end, startItem(start)])
      same(await readCall(api, id), before, 'call')
    }),
)
