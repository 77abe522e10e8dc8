import type { Api } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision } from './check.ts'
import { instant, same } from './expect.ts'

/** Sections 4.4 and 4.8: times of a call. Heddle stores 1900 to 2299 to the microsecond, and rejects what it cannot store. */
const STORED = [
  '2024-02-03T04:05:06Z',
  '2024-02-03T04:05:06.5Z',
  '2024-02-03T04:05:06.123456Z',
  '2024-02-03T04:05:06+02:00',
  '2024-02-03T04:05:06-09:30',
  '1969-12-31T23:59:59Z',
  '1900-01-01T00:00:00.000001Z',
  '2262-04-12T00:00:00Z',
  '2299-12-31T23:59:59.999999Z',
]
for (const time of STORED) {
  check('4.8 call/start', `started_at ${time} is stored exactly`, async (api) => {
    const start = startRecord(api, { started_at: time })
    await api.post('/call/start', { start })
    instant((await readCall(api, start['id']))['started_at'], time, 'started_at')
  })
  check('4.4 call/upsert_batch', `ended_at ${time} is stored exactly`, async (api) => {
    const start = startRecord(api, { started_at: '1900-01-01T00:00:00Z' })
    await sendBatch(api, [startItem(start), endItem(start, { ended_at: time })])
    instant((await readCall(api, start['id']))['ended_at'], time, 'ended_at')
  })
}

const REJECTED: readonly unknown[] = [
  '0001-01-01T00:00:00Z',
  '1582-10-15T00:00:00Z',
  '1899-12-31T23:59:59.999999Z',
  '2300-01-01T00:00:00Z',
  '2300-06-01T12:00:00+02:00',
  '9999-12-31T23:59:59Z',
  -2_208_988_801,
  10_413_792_000,
  -99_999_999_999_999,
  1e300,
]
const MALFORMED: readonly unknown[] = [
  'yesterday',
  '2024-13-01T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '',
  {},
  [],
  true,
]

type Write = (api: Api, time: unknown) => Promise<void>
const WRITES: readonly (readonly [title: string, field: string, write: Write])[] = [
  [
    '4.8 call/start',
    'started_at',
    (api, time) =>
      api.rejectsNaming('started_at', '/call/start', { start: startRecord(api, { started_at: time }) }),
  ],
  [
    '4.4 call/upsert_batch',
    'started_at',
    (api, time) => {
      const batch = [startItem(startRecord(api, { started_at: time }))]
      return api.rejectsNaming('started_at', '/call/upsert_batch', { batch })
    },
  ],
  [
    '4.4 call/upsert_batch',
    'ended_at',
    (api, time) => {
      const batch = [endItem(startRecord(api), { ended_at: time })]
      return api.rejectsNaming('ended_at', '/call/upsert_batch', { batch })
    },
  ],
]
for (const [title, field, write] of WRITES) {
  for (const time of MALFORMED)
    check(title, `${field} ${JSON.stringify(time)} is rejected`, async (api) => write(api, time))
  for (const time of REJECTED)
    checkDecision(
      title,
      `${field} ${JSON.stringify(time)} cannot be stored exactly and is rejected`,
      async (api) => write(api, time),
    )
}
check('4.8 call/start', 'a rejected start is not stored', async (api) => {
  const start = startRecord(api, { started_at: 'yesterday' })
  await api.rejects('/call/start', { start })
  same((await api.post('/call/read', { project_id: api.project_id, id: start['id'] }))['call'], null, 'call')
})
