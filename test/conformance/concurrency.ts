import type { Api, Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, once } from './check.ts'
import { same, sameMembers } from './expect.ts'
import { createObject, feedbackBody } from './fixtures.ts'
import { queryFeedback } from './feedback-records.ts'

/** Sections 1, 2, 6 and 8: many clients at once. Nothing is lost, stored twice or mixed. */
const WRITERS = 20
const CALLS = 15

interface Mark {
  readonly writer: number
  readonly n: number
}
const written = (mark: Mark, api: Api): Doc =>
  startRecord(api, {
    id: api.name(`writer-${mark.writer}-${mark.n}`),
    trace_id: api.name(`writer-${mark.writer}`),
    inputs: mark,
  })

/** Start and end in two requests, in one batch, and in the other order. */
const WRITES: readonly ((api: Api, start: Doc, end: Doc) => Promise<void>)[] = [
  async (api, start, end) => {
    await api.post('/call/start', { start })
    await sendBatch(api, [end])
  },
  async (api, start, end) => {
    await sendBatch(api, [end, startItem(start)])
  },
  async (api, start, end) => {
    await sendBatch(api, [end])
    await api.post('/call/start', { start })
  },
]

const range = (length: number): number[] => Array.from({ length }, (_, n) => n)

const calls = once(async (api) => {
  await Promise.all(
    range(WRITERS).map(async (writer) => {
      for (const n of range(CALLS)) {
        const start = written({ writer, n }, api)
        await WRITES[n % WRITES.length]?.(api, start, endItem(start, { output: { writer, n } }))
        if (n % 5 === 0)
          same((await readCall(api, start['id']))['output'], { writer, n }, 'acknowledged output')
      }
    }),
  )
})
check('2.23', 'calls', `${WRITERS} writers at once: each trace has all of its calls`, async (api) => {
  await calls(api)
  const counts = await Promise.all(
    range(WRITERS).map(async (writer) => {
      const filter = { trace_ids: [api.name(`writer-${writer}`)] }
      return (await api.post('/calls/query_stats', { project_id: api.project_id, filter }))['count']
    }),
  )
  same(counts, Array(WRITERS).fill(CALLS), 'counts')
})
check('2.23', 'calls', `${WRITERS} writers at once: every call is whole`, async (api) => {
  await calls(api)
  await Promise.all(
    range(WRITERS).map(async (writer) => {
      for (const n of range(CALLS)) {
        const { inputs, output, ended_at } = await readCall(api, api.name(`writer-${writer}-${n}`))
        same([inputs, output, typeof ended_at], [{ writer, n }, { writer, n }, 'string'], 'call')
      }
    }),
  )
})

check(
  '1.16',
  'call/start',
  'an id that is started by many requests at once is one of them as a whole',
  async (api) => {
    const id = api.name('started-at-once')
    const start = (n: number): Doc =>
      startRecord(api, {
        id,
        op_name: api.name(`op ${n}`),
        display_name: `name ${n}`,
        trace_id: api.name(`t ${n}`),
        inputs: { n },
      })
    await Promise.all(range(WRITERS).map((n) => api.post('/call/start', { start: start(n) })))
    const { inputs, op_name, display_name, trace_id } = await readCall(api, id)
    const one = start((inputs as { n: number }).n)
    same([op_name, display_name, trace_id], [one['op_name'], one['display_name'], one['trace_id']], 'call')
    const body = { project_id: api.project_id, filter: { call_ids: [id] } }
    same((await api.post('/calls/query_stats', body))['count'], 1, 'count')
  },
)

check(
  '6.15',
  'objs/query',
  'versions that are published at once have consecutive indexes, and one is the latest',
  async (api) => {
    const object_id = api.name('at-once')
    await Promise.all(range(WRITERS).map((n) => createObject(api, object_id, { n })))
    const { objs } = await api.post('/objs/query', {
      project_id: api.project_id,
      filter: { object_ids: [object_id] },
    })
    sameMembers(
      (objs as Doc[]).map(({ version_index }) => version_index),
      range(WRITERS),
      'version_index',
    )
    same((objs as Doc[]).filter(({ is_latest }) => is_latest === 1).length, 1, 'latest versions')
  },
)

check(
  '8.17',
  'feedback/replace',
  'one id that is sent by many at once is one record, different ids are different ones',
  async (api) => {
    const feedback_type = api.name('at-once')
    const shared = api.id()
    const ids = await Promise.all(
      range(WRITERS).flatMap((writer) =>
        [shared, api.id()].map(async (feedback_id) => {
          const body = feedbackBody(api, { feedback_type, feedback_id, payload: { writer } })
          return (await api.post('/feedback/replace', body))['id']
        }),
      ),
    )
    const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: feedback_type }] } }
    sameMembers(
      (await queryFeedback(api, { fields: ['id'], query })).map(({ id }) => id),
      [...new Set(ids)],
      'ids',
    )
  },
)
