import type { Api, Doc } from './api.ts'
import { startRecord } from './call-records.ts'
import { check, once } from './check.ts'
import { same } from './expect.ts'
import { costs, feedback, fieldIs } from './fixtures.ts'
import { ODD_FIELDS, shown } from './odd-fields.ts'

/** Section 15: what every `query` has in common. */

interface QueryOperation {
  readonly subject: string
  readonly path: string
  readonly count: (response: Doc) => number
  /** A field with a text. */
  readonly textField: string
  /** Fields with documents, whose members can be queried. */
  readonly documents: readonly string[]
  /** Makes sure that there is something to find. */
  readonly prepare: (api: Api) => Promise<unknown>
}

const startedCall = once(async (api) => api.post('/call/start', { start: startRecord(api) }))
const length = (key: string) => (response: Doc) => (response[key] as unknown[]).length

const OPERATIONS: readonly QueryOperation[] = [
  {
    subject: 'cost/query',
    path: '/cost/query',
    count: length('results'),
    textField: 'llm_id',
    documents: [],
    prepare: costs,
  },
  {
    subject: 'calls/query_stats',
    path: '/calls/query_stats',
    count: (response) => response['count'] as number,
    textField: 'op_name',
    documents: ['inputs', 'output', 'attributes', 'summary'],
    prepare: startedCall,
  },
  {
    subject: 'feedback/query',
    path: '/feedback/query',
    count: length('result'),
    textField: 'feedback_type',
    documents: ['payload'],
    prepare: feedback,
  },
]

const literal = (value: unknown): Doc => ({ $literal: value })

for (const { subject, path, count, textField, documents, prepare } of OPERATIONS) {
  const found = async (api: Api, query: unknown): Promise<number> => {
    await prepare(api)
    return count(await api.post(path, { project_id: api.project_id, query }))
  }
  for (const values of [[true], [true, true], [false], [true, false]]) {
    check('15.1', subject, `query $and of the literals ${values.join(', ')}`, async (api) => {
      const all = await found(api, null)
      same(all > 0, true, 'records to find')
      const expected = values.includes(false) ? 0 : all
      same(await found(api, { $expr: { $and: values.map(literal) } }), expected, 'records')
    })
  }
  for (const value of [1, 'x', null, [], {}]) {
    check(
      '15.3',
      subject,
      `query $literal of any value: ${JSON.stringify(value)} is accepted`,
      async (api) => {
        await found(api, { $expr: { $and: [literal(value)] } })
      },
    )
  }
  check('15.1', subject, 'query nested $and', async (api) => {
    const nested = { $and: [{ $and: [literal(true), literal(true)] }, literal(true)] }
    same(await found(api, { $expr: nested }), await found(api, null), 'records')
  })
  check('15.1', subject, 'query $and of 50 levels', async (api) => {
    let nested = literal(true)
    for (let level = 0; level < 50; level += 1) nested = { $and: [nested] }
    same(await found(api, { $expr: nested }), await found(api, null), 'records')
  })
  check('15.5', subject, 'query $eq with a text that looks like SQL finds nothing', async (api) => {
    same(await found(api, fieldIs(textField, "'; DROP TABLE calls; --")), 0, 'records')
  })
  for (const field of ODD_FIELDS) {
    check('15.9', subject, `query of the field ${shown(field)} does not fail`, async (api) => {
      for (const name of [field, ...documents.map((document) => `${document}.${field}`)])
        await api.doesNotFail(path, { project_id: api.project_id, query: fieldIs(name, 'x') })
    })
  }
  for (const bad of ['x', 1, [], true, {}, { $expr: { $nope: [] } }, { $expr: { $and: literal(true) } }]) {
    check('15.4', subject, `query ${JSON.stringify(bad)} is rejected`, async (api) =>
      api.rejects(path, { project_id: api.project_id, query: bad }),
    )
  }
}
