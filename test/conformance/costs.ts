import type { Api, Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { fail, hasType, instant, same, sameMembers, type Type } from './expect.ts'
import { costs, fieldIn, fieldIs, literals } from './fixtures.ts'

/** Sections 2.4 and 4.5: costs per model. */
const TITLE = '4.5 cost/query'

const query = async (api: Api, fields: Doc): Promise<Doc[]> => {
  const { results } = await api.postUndocumented('/cost/query', { project_id: api.project_id, ...fields })
  hasType(results, 'array', 'results')
  return results as Doc[]
}
const one = async (api: Api, fields: string[] | null = null): Promise<{ sent: Doc; record: Doc }> => {
  const sent = (await costs(api))[2] ?? fail('fixture', 'a price', null)
  const found = await query(api, { fields, query: fieldIs('llm_id', sent.llm_id) })
  same(found.length, 1, 'records of the model')
  return { sent, record: found[0] ?? {} }
}

const FIELDS: Readonly<Record<string, Type>> = {
  id: 'string',
  llm_id: 'string',
  prompt_token_cost: 'number',
  completion_token_cost: 'number',
  prompt_token_cost_unit: 'string',
  completion_token_cost_unit: 'string',
  effective_date: 'datetime',
  provider_id: 'string',
}
const checkField = (field: string, type: Type, { sent, record }: { sent: Doc; record: Doc }): void => {
  hasType(record[field], type, field)
  if (type === 'datetime') instant(record[field], sent[field] as string, field)
  else if (field !== 'id') same(record[field], sent[field], field)
}
for (const [field, type] of Object.entries(FIELDS)) {
  check('2.4 cost record', `${field} is a ${type} with the stored value`, async (api) =>
    checkField(field, type, await one(api)),
  )
  check(TITLE, `fields [${field}]: each record has it`, async (api) => {
    const found = await one(api, [field])
    checkField(field, type, found)
    if (api.isHeddle) same(Object.keys(found.record), [field], 'fields')
  })
}
check('2.4 cost record', 'ids of different records differ', async (api) => {
  const found = await list(api, { fields: ['id'] })
  same(new Set(found.map(({ id }) => id)).size, (await costs(api)).length, 'distinct ids')
})
check(TITLE, 'fields: several', async (api) => {
  const { record } = await one(api, ['provider_id', 'id', 'prompt_token_cost'])
  for (const field of ['provider_id', 'id', 'prompt_token_cost'])
    hasType(record[field], FIELDS[field] ?? 'string', field)
})
check(TITLE, 'an unknown name in fields is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, fields: ['nothing'] }),
)
for (const bad of ['id', 1, {}, [1], [null]]) {
  check(TITLE, `fields ${JSON.stringify(bad)} is rejected`, async (api) =>
    api.rejectsNaming('fields', '/cost/query', { project_id: api.project_id, fields: bad }),
  )
}
checkDecision(TITLE, 'a project without prices of its own lists none', async (api) =>
  same(await api.post('/cost/query', { project_id: `${api.project_id}-none-${api.run}` }), { results: [] }),
)
for (const effective_date of ['1899-12-31T23:59:59Z', '2300-01-01T00:00:00Z', 'yesterday']) {
  checkDecision(
    '2.4 cost record',
    `effective_date ${effective_date} cannot be stored and is rejected`,
    async (api) => {
      const price = { prompt_token_cost: 1, completion_token_cost: 1, effective_date }
      await api.rejectsNaming('effective_date', '/cost/create', {
        project_id: api.project_id,
        costs: { m: price },
      })
    },
  )
}
check(TITLE, 'query $gt on a price compares numbers', async (api) => {
  const all = await costs(api)
  const above = { $gt: [{ $getField: 'prompt_token_cost' }, { $literal: all[3]?.prompt_token_cost }] }
  const found = await query(api, { query: { $expr: { $and: [(await ofThisRun(api))['$expr'], above] } } })
  sameMembers(
    found.map(({ llm_id }) => llm_id),
    all.slice(4).map(({ llm_id }) => llm_id),
    'models',
  )
})

async function ofThisRun(api: Api): Promise<Doc> {
  return fieldIn(
    'llm_id',
    (await costs(api)).map(({ llm_id }) => llm_id),
  )
}
async function list(api: Api, fields: Doc): Promise<Doc[]> {
  return query(api, { query: await ofThisRun(api), ...fields })
}
const models = async (api: Api, fields: Doc): Promise<unknown[]> =>
  (await list(api, fields)).map(({ llm_id }) => llm_id)

for (const [name, expression] of [
  ['null', null],
  ['$and of $literal true', literals(true, true)],
] as const) {
  check(TITLE, `query ${name} lists every price of the project`, async (api) => {
    const found = new Set((await query(api, { query: expression })).map(({ llm_id }) => llm_id))
    same(
      (await costs(api)).filter(({ llm_id }) => !found.has(llm_id)),
      [],
      'missing prices',
    )
  })
}
check(TITLE, 'query $and with a $literal false lists none', async (api) =>
  same(await query(api, { query: literals(true, false) }), []),
)
check(TITLE, 'query $eq on a field lists the prices with that value', async (api) => {
  const [first] = await costs(api)
  same(
    (await query(api, { query: fieldIs('llm_id', first?.llm_id) })).map(({ llm_id }) => llm_id),
    [first?.llm_id],
  )
})
check(TITLE, 'a query without $expr is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)

/** In the fixture, names and prices ascend and dates descend. */
for (const [field, isAscending] of [
  ['llm_id', true],
  ['prompt_token_cost', true],
  ['effective_date', false],
] as const) {
  for (const direction of ['asc', 'desc']) {
    check(TITLE, `sort_by ${field} ${direction}`, async (api) => {
      const ascending = (await costs(api)).map(({ llm_id }) => llm_id)
      const expected = isAscending === (direction === 'asc') ? ascending : ascending.toReversed()
      same(await models(api, { sort_by: [{ field, direction }] }), expected)
    })
  }
}
check(TITLE, 'sort_by several fields: the first takes precedence', async (api) => {
  const sort_by = [
    { field: 'provider_id', direction: 'asc' },
    { field: 'llm_id', direction: 'desc' },
  ]
  same(await models(api, { sort_by }), (await costs(api)).map(({ llm_id }) => llm_id).toReversed())
})
check(TITLE, 'sort_by with a direction other than asc and desc is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, sort_by: [{ field: 'id', direction: 'up' }] }),
)
