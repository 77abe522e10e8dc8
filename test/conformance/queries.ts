import type { Api, Doc } from './api.ts'
import { startRecord } from './call-records.ts'
import { check, once } from './check.ts'
import { same } from './expect.ts'
import { costs, feedback } from './fixtures.ts'

/** The expression form of section 4.5, in every operation that takes it. */

interface QueryOperation {
  readonly title: string
  readonly path: string
  readonly count: (response: Doc) => number
  /** Makes sure that there is something to find. */
  readonly prepare: (api: Api) => Promise<unknown>
}

const startedCall = once(async (api) => api.post('/call/start', { start: startRecord(api) }))
const length = (key: string) => (response: Doc) => (response[key] as unknown[]).length

const OPERATIONS: readonly QueryOperation[] = [
  { title: '4.5 cost/query', path: '/cost/query', count: length('results'), prepare: costs },
  {
    title: '4.9 calls/query_stats',
    path: '/calls/query_stats',
    count: (response) => response['count'] as number,
    prepare: startedCall,
  },
  { title: '4.10 feedback/query', path: '/feedback/query', count: length('result'), prepare: feedback },
]

const literal = (value: unknown): Doc => ({ $literal: value })

for (const { title, path, count, prepare } of OPERATIONS) {
  const found = async (api: Api, query: unknown): Promise<number> => {
    await prepare(api)
    return count(await api.post(path, { project_id: api.project_id, query }))
  }
  for (const values of [[true], [true, true], [false], [true, false]]) {
    check(title, `query $and of the literals ${values.join(', ')}`, async (api) => {
      const all = await found(api, null)
      same(all > 0, true, 'records to find')
      const expected = values.includes(false) ? 0 : all
      same(await found(api, { $expr: { $and: values.map(literal) } }), expected, 'records')
    })
  }
  for (const value of [1, 'x', null, [], {}]) {
    check(title, `query $literal of any value: ${JSON.stringify(value)} is accepted`, async (api) => {
      await found(api, { $expr: { $and: [literal(value)] } })
    })
  }
  check(title, 'query nested $and', async (api) => {
    const nested = { $and: [{ $and: [literal(true), literal(true)] }, literal(true)] }
    same(await found(api, { $expr: nested }), await found(api, null), 'records')
  })
  for (const bad of ['x', 1, [], true, {}, { $expr: { $nope: [] } }, { $expr: { $and: literal(true) } }]) {
    check(title, `query ${JSON.stringify(bad)} is rejected`, async (api) =>
      api.rejects(path, { project_id: api.project_id, query: bad }),
    )
  }
}
