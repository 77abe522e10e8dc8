import type { Api, Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { hasType, same, sameMembers } from './expect.ts'
import { at, byId, queryFeedback } from './feedback-records.ts'
import { feedback, feedbackBody, fieldIn, fieldIs, literals } from './fixtures.ts'
import { ODD_FIELDS, shown } from './odd-fields.ts'

/** Section 9: feedback/query. */

/** Another server may return values of dotted fields as text. Heddle returns them as stored. */
type Value = string | number | null
const sameValue = (api: Api, actual: unknown, expected: Value, what: string): void => {
  const asText = (value: Value): string => `${value ?? ''}`
  if (api.isHeddle) same(actual, expected, what)
  else same(asText(actual as Value), asText(expected), what)
}

const QUERY = 'feedback/query'
const list = async (api: Api, fields: Doc): Promise<Doc[]> =>
  queryFeedback(api, { query: fieldIs('feedback_type', (await feedback(api)).feedback_type), ...fields })

for (const field of ['id', 'feedback_type']) {
  check('9.1', QUERY, `fields [${field}]: each object has it`, async (api) => {
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
  check('9.2', QUERY, `fields [${field}]: each object has the value inside payload`, async (api) => {
    const { ids } = await feedback(api)
    const found = await list(api, { fields: ['id', field] })
    same(found.length, ids.length, 'records')
    for (const record of found)
      sameValue(api, at(record, field), expected(ids.indexOf(record['id'] as string)), field)
  })
}
checkDecision(
  '9.2',
  QUERY,
  'fields [payload.nested]: each object has the object inside payload',
  async (api) => {
    const { ids } = await feedback(api)
    for (const { id, 'payload.nested': nested } of await list(api, { fields: ['id', 'payload.nested'] }))
      same(nested, { deep: `deep ${ids.indexOf(id as string)}` }, 'payload.nested')
  },
)
check('9.1', QUERY, 'fields [payload]: each object has the whole payload', async (api) => {
  for (const { payload } of await list(api, { fields: ['payload'] })) hasType(payload, 'object', 'payload')
})
for (const field of ODD_FIELDS) {
  checkDecision('9.4', QUERY, `fields [${shown(field)}] is rejected`, async (api) =>
    api.rejects('/feedback/query', { project_id: api.project_id, fields: [field] }),
  )
  check('9.10', QUERY, `fields and sort_by payload.${shown(field)} do not fail`, async (api) => {
    const name = `payload.${field}`
    const sort_by = [{ field: name, direction: 'asc' }]
    await api.doesNotFail('/feedback/query', { project_id: api.project_id, fields: [name], sort_by })
  })
}
check('9.1', QUERY, 'fields: an object has the requested fields', async (api) => {
  const [first] = await list(api, { fields: ['feedback_type', 'payload.note', 'id'], limit: 1 })
  for (const field of ['feedback_type', 'payload.note', 'id']) hasType(at(first, field), 'string', field)
  if (api.isHeddle)
    same(Object.keys(first ?? {}).toSorted(), ['feedback_type', 'id', 'payload.note'], 'fields')
})
for (const fields of [null, undefined]) {
  check(
    '9.3',
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
check('9.4', QUERY, 'fields: an unknown field is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, fields: ['id', 'nothing'] }),
)
for (const bad of ['id', 1, {}, [1], [null]]) {
  check('9.4', QUERY, `fields ${JSON.stringify(bad)} is rejected`, async (api) =>
    api.rejectsNaming('fields', '/feedback/query', { project_id: api.project_id, fields: bad }),
  )
}

check('15.2', QUERY, 'query null finds every record', async (api) => {
  const found = new Set((await queryFeedback(api, { fields: ['id'], query: null })).map(({ id }) => id))
  same(
    (await feedback(api)).ids.filter((id) => !found.has(id)),
    [],
    'missing records',
  )
})
check('15.1', QUERY, 'query $and of $literal true finds every record', async (api) => {
  const found = new Set(
    (await queryFeedback(api, { fields: ['id'], query: literals(true) })).map(({ id }) => id),
  )
  same(
    (await feedback(api)).ids.filter((id) => !found.has(id)),
    [],
    'missing records',
  )
})
check('15.1', QUERY, 'query $and with a $literal false finds none', async (api) =>
  same(await queryFeedback(api, { fields: ['id'], query: literals(true, false) }), []),
)
check('9.5', QUERY, 'query $eq on id finds one record', async (api) => {
  const [, second] = (await feedback(api)).ids
  same(
    (await byId(api, second, ['id'])).map(({ id }) => id),
    [second],
    'ids',
  )
})
check('9.5', QUERY, 'query $eq on payload.<key> finds the records with that value', async (api) => {
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
const all = (...conditions: Doc[]): Doc => ({ $expr: { $and: conditions.map((each) => each['$expr']) } })
const found = async (api: Api, condition: Doc): Promise<unknown[]> => {
  const { feedback_type } = await feedback(api)
  const query = all(fieldIs('feedback_type', feedback_type), condition)
  return (await queryFeedback(api, { fields: ['id'], query })).map(({ id }) => id)
}
check('9.5', QUERY, 'query $eq on a path of two keys finds the records with that value', async (api) =>
  same(await found(api, fieldIs('payload.nested.deep', 'deep 3')), [(await feedback(api)).ids[3]], 'ids'),
)
check('15.6', QUERY, 'query $gt on a number inside payload', async (api) =>
  sameMembers(
    await found(api, { $expr: { $gt: [{ $getField: 'payload.n' }, { $literal: 4 }] } }),
    (await feedback(api)).ids.slice(5),
    'ids',
  ),
)
check('9.5', QUERY, 'query $eq on item_ref and on a boolean inside payload', async (api) => {
  const item_ref = api.ref('call', api.id())
  const { id } = await api.post('/feedback/replace', feedbackBody(api, { item_ref, payload: { yes: true } }))
  for (const yes of [true, false]) {
    const query = all(fieldIs('item_ref', item_ref), fieldIs('payload.yes', yes))
    same(
      (await queryFeedback(api, { fields: ['id'], query })).map((record) => record['id']),
      yes ? [id] : [],
      'ids',
    )
  }
})
check('9.3', QUERY, 'a project without feedback lists none', async (api) => {
  const { status, text } = await api.send('/feedback/query', {
    project_id: `${api.project_id}-none-${api.run}`,
  })
  if (status !== 403 && status !== 404) same((JSON.parse(text) as Doc)['result'], [], 'result')
})
check('15.4', QUERY, 'a query without $expr is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)

for (const [field, isAscending] of [
  ['payload.n', true],
  ['payload.rank', false],
  ['created_at', true],
] as const) {
  for (const direction of ['asc', 'desc']) {
    check('9.6', QUERY, `sort_by ${field} ${direction}`, async (api) => {
      const { ids } = await feedback(api)
      const found = (await list(api, { fields: ['id'], sort_by: [{ field, direction }] })).map(({ id }) => id)
      same(found, isAscending === (direction === 'asc') ? ids : ids.toReversed(), 'ids')
    })
  }
}
for (const direction of ['asc', 'desc']) {
  check('9.6', QUERY, `sort_by id ${direction}`, async (api) => {
    const sorted = (await feedback(api)).ids.toSorted()
    const found = (await list(api, { fields: ['id'], sort_by: [{ field: 'id', direction }] })).map(
      ({ id }) => id,
    )
    same(found, direction === 'asc' ? sorted : sorted.toReversed(), 'ids')
  })
}
check('14.7', QUERY, 'sort_by with a direction other than asc and desc is rejected', async (api) =>
  api.rejects('/feedback/query', { project_id: api.project_id, sort_by: [{ field: 'id', direction: 'up' }] }),
)
check('14.9', QUERY, 'sort_by several fields: the first takes precedence', async (api) => {
  const types = ['a', 'b'].map((name) => api.name(`two-fields-${name}`))
  const ids: unknown[] = []
  for (const feedback_type of [types[0], types[1], types[0]])
    ids.push((await api.post('/feedback/replace', feedbackBody(api, { feedback_type })))['id'])
  const sort_by = [
    { field: 'feedback_type', direction: 'desc' },
    { field: 'created_at', direction: 'desc' },
  ]
  const sorted = await queryFeedback(api, { fields: ['id'], query: fieldIn('feedback_type', types), sort_by })
  same(
    sorted.map(({ id }) => id),
    [ids[1], ids[2], ids[0]],
    'ids',
  )
})
