import type { Api } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision } from './check.ts'
import { instant, same } from './expect.ts'

/** Sections 1 and 2: times of a call. Heddle stores 1900 to 2299 to the microsecond, and rejects what it cannot store. */
const STORED = [
  '2024-02-03T04:05:06Z',
  '2024-02-03T04:05:06.5Z',
  '2024-02-03T04:05:06.123456Z',
  '2024-02-03T04:05:06+02:00',
  '2024-02-03T04:05:06-09:30',
  '1969-12-31T23:59:59Z',
  '1900-01-01T00:00:00Z',
  '1900-01-01T00:00:00.000001Z',
  '2262-04-12T00:00:00Z',
  '2299-12-31T23:59:59Z',
  '2299-12-31T23:59:59.999999Z',
]
for (const time of STORED) {
  check('1.11', 'call/start', `started_at ${time} is stored exactly`, async (api) => {
    const start = startRecord(api, { started_at: time })
    await api.post('/call/start', { start })
    instant((await readCall(api, start['id']))['started_at'], time, 'started_at')
  })
  check('2.15', 'call/upsert_batch', `ended_at ${time} is stored exactly`, async (api) => {
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
interface TimeField {
  readonly subject: string
  readonly field: string
  /** The rules about a text that is no time, and about a time that cannot be stored. */
  readonly malformed: string
  readonly outOfRange: string
  readonly write: Write
}

const WRITES: readonly TimeField[] = [
  {
    subject: 'call/start',
    field: 'started_at',
    malformed: '1.12',
    outOfRange: '1.13',
    write: (api, time) =>
      api.rejectsNaming('started_at', '/call/start', { start: startRecord(api, { started_at: time }) }),
  },
  {
    subject: 'call/upsert_batch',
    field: 'started_at',
    malformed: '2.16',
    outOfRange: '2.17',
    write: (api, time) => {
      const batch = [startItem(startRecord(api, { started_at: time }))]
      return api.rejectsNaming('started_at', '/call/upsert_batch', { batch })
    },
  },
  {
    subject: 'call/upsert_batch',
    field: 'ended_at',
    malformed: '2.16',
    outOfRange: '2.17',
    write: (api, time) => {
      const batch = [endItem(startRecord(api), { ended_at: time })]
      return api.rejectsNaming('ended_at', '/call/upsert_batch', { batch })
    },
  },
]
for (const { subject, field, malformed, outOfRange, write } of WRITES) {
  for (const time of MALFORMED)
    check(malformed, subject, `${field} ${JSON.stringify(time)} is rejected`, async (api) => write(api, time))
  for (const time of REJECTED)
    checkDecision(
      outOfRange,
      subject,
      `${field} ${JSON.stringify(time)} cannot be stored exactly and is rejected`,
      async (api) => write(api, time),
    )
}
check(
  '1.19',
  'call/start',
  'started_at with nanoseconds is rejected, or cut to microseconds',
  async (api) => {
    const start = startRecord(api, { started_at: '2024-02-03T04:05:06.123456789Z' })
    const { status } = await api.send('/call/start', { start })
    if (status !== 200) return same([400, 422].includes(status), true, `rejection (${status})`)
    instant((await readCall(api, start['id']))['started_at'], '2024-02-03T04:05:06.123456Z', 'started_at')
  },
)
check('1.15', 'call/start', 'a rejected start is not stored', async (api) => {
  const start = startRecord(api, { started_at: 'yesterday' })
  await api.rejects('/call/start', { start })
  same((await api.post('/call/read', { project_id: api.project_id, id: start['id'] }))['call'], null, 'call')
})
