import type { Api, Doc } from './api.ts'
import { check } from './check.ts'
import { hasType, same, sameMembers } from './expect.ts'
import { at, byId, queryFeedback } from './feedback-records.ts'
import { feedback, fieldIs, literals } from './fixtures.ts'

/** Section 4.10: feedback/query. */

/** SPEC does not say whether values of dotted fields are text. Heddle returns them as stored. */
type Value = string | number | null
const sameValue = (api: Api, actual: unknown, expected: Value, what: string): void => {
  const asText = (value: Value): string => `${value ?? ''}`
  if (api.isHeddle) same(actual, expected, what)
  else same(asText(actual as Value), asText(expected), what)
}

const QUERY = '4.10 feedback/query'
const list = async (api: Api, fields: Doc): Promise<Doc[]> =>
  queryFeedback(api, { query: fieldIs('feedback_type', (await feedback(api)).feedback_type), ...fields })

for (const field of ['id', 'feedback_type']) {
  check(QUERY, `fields [${field}]: each object has it`, async (api) => {
    const { ids, feedback_type } = await feedback(api)
    const found = (await list(api, { fields: [field] })).map((record) => record[field])
    sameMembers(found, field === 'id' ? ids : ids.map(() => feedback_type), field)
  })
}
for (const [field, expected] of [
  ['payload.note', (n: number) => `note ${n}`],
  ['payload.n', (n: number) => n],
  ['payload.nested.deep', (n: number) => `deep ${n}`],
  ['payload.nothing', () => null],
] as const) {
  check(QUERY, `fields [${field}]: each object has the value inside payload`, async (api) => {
    const { ids } = await feedback(api)
    const found = await list(api, { fields: ['id', field] })
    same(found.length, ids.length, 'records')
    for (const record of found)
      sameValue(api, at(record, field), expected(ids.indexOf(record['id'] as string)), field)
  })
}
check(QUERY, 'fields: an object has the requested fields', async (api) => {
  const [first] = await list(api, { fields: ['feedback_type', 'payload.note', 'id'], limit: 1 })
  for (const field of ['feedback_type', 'payload.note', 'id']) hasType(at(first, field), 'string', field)
  if (api.isHeddle)
    same(Object.keys(first ?? {}).toSorted(), ['feedback_type', 'id', 'payload.note'], 'fields')
})
for (const fields of [null, undefined]) {
  check(
    QUERY,
    `fields ${fields === null ? 'null' : 'omitted'}: id, feedback_type and payload are present`,
    async (api) => {
      const [first] = await list(api, { fields, limit: 1 })
      hasType(first?.['id'], 'string', 'id')
      hasType(first?.['feedback_type'], 'string', 'feedback_type')
      hasType(first?.['payload'], 'object', 'payload')
    },
  )
}
check(QUERY, 'fields: an unknown field is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, fields: ['id', 'nothing'] }),
)
for (const bad of ['id', 1, {}, [1], [null]]) {
  check(QUERY, `fields ${JSON.stringify(bad)} is rejected`, async (api) =>
    api.rejectsNaming('fields', '/feedback/query', { project_id: api.project_id, fields: bad }),
  )
}

check(QUERY, 'query null finds every record', async (api) => {
  const found = new Set((await queryFeedback(api, { fields: ['id'], query: null })).map(({ id }) => id))
  same(
    (await feedback(api)).ids.filter((id) => !found.has(id)),
    [],
    'missing records',
  )
})
check(QUERY, 'query $and of $literal true finds every record', async (api) => {
  const found = new Set(
    (await queryFeedback(api, { fields: ['id'], query: literals(true) })).map(({ id }) => id),
  )
  same(
    (await feedback(api)).ids.filter((id) => !found.has(id)),
    [],
    'missing records',
  )
})
check(QUERY, 'query $and with a $literal false finds none', async (api) =>
  same(await queryFeedback(api, { fields: ['id'], query: literals(true, false) }), []),
)
check(QUERY, 'query $eq on id finds one record', async (api) => {
  const [, second] = (await feedback(api)).ids
  same(
    (await byId(api, second, ['id'])).map(({ id }) => id),
    [second],
    'ids',
  )
})
check(QUERY, 'query $eq on payload.<key> finds the records with that value', async (api) => {
  const { feedback_type, ids } = await feedback(api)
  const both = [fieldIs('feedback_type', feedback_type), fieldIs('payload.note', 'note 2')].map(
    (each) => each['$expr'],
  )
  same(
    (await queryFeedback(api, { fields: ['id'], query: { $expr: { $and: both } } })).map(({ id }) => id),
    [ids[2]],
    'ids',
  )
})
check(QUERY, 'a query without $expr is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)

for (const [field, isAscending] of [
  ['payload.n', true],
  ['payload.rank', false],
  ['created_at', true],
] as const) {
  for (const direction of ['asc', 'desc']) {
    check(QUERY, `sort_by ${field} ${direction}`, async (api) => {
      const { ids } = await feedback(api)
      const found = (await list(api, { fields: ['id'], sort_by: [{ field, direction }] })).map(({ id }) => id)
      same(found, isAscending === (direction === 'asc') ? ids : ids.toReversed(), 'ids')
    })
  }
}
for (const direction of ['asc', 'desc']) {
  check(QUERY, `sort_by id ${direction}`, async (api) => {
    const sorted = (await feedback(api)).ids.toSorted()
    const found = (await list(api, { fields: ['id'], sort_by: [{ field: 'id', direction }] })).map(
      ({ id }) => id,
    )
    same(found, direction === 'asc' ? sorted : sorted.toReversed(), 'ids')
  })
}
check(QUERY, 'sort_by with a direction other than asc and desc is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, sort_by: [{ field: 'id', direction: 'up' }] }),
)
