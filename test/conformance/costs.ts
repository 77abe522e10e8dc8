import type { Api, Doc } from './api.ts'
import { row } from './check.ts'
import { fail, hasType, instant, same, type Type } from './expect.ts'
import { costs, fieldIn, fieldIs, literals } from './fixtures.ts'

/** Sections 2.4 and 4.5: prices per model. */
const TITLE = '4.5 cost/query'

const query = async (api: Api, fields: Doc): Promise<Doc[]> => {
  const { results } = await api.postUnshown('/cost/query', { project_id: api.project_id, ...fields })
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
const check = (field: string, type: Type, { sent, record }: { sent: Doc; record: Doc }): void => {
  hasType(record[field], type, field)
  if (type === 'datetime') instant(record[field], sent[field] as string, field)
  else if (field !== 'id') same(record[field], sent[field], field)
}
for (const [field, type] of Object.entries(FIELDS)) {
  row('2.4 cost record', `${field} is a ${type} with the value that was stored`, async (api) =>
    check(field, type, await one(api)),
  )
  row(TITLE, `fields [${field}]: each record holds it`, async (api) => {
    const found = await one(api, [field])
    check(field, type, found)
    if (api.own) same(Object.keys(found.record), [field], 'fields')
  })
}
row('2.4 cost record', 'ids of different records differ', async (api) => {
  const found = await list(api, { fields: ['id'] })
  same(new Set(found.map(({ id }) => id)).size, (await costs(api)).length, 'distinct ids')
})
row(TITLE, 'fields: several at once', async (api) => {
  const { record } = await one(api, ['provider_id', 'id', 'prompt_token_cost'])
  for (const field of ['provider_id', 'id', 'prompt_token_cost'])
    hasType(record[field], FIELDS[field] ?? 'string', field)
})
row(TITLE, 'fields has no names but those of the record', async (api) =>
  api.refuses('/cost/query', { project_id: api.project_id, fields: ['nothing'] }),
)

async function list(api: Api, fields: Doc): Promise<Doc[]> {
  return query(api, {
    query: fieldIn(
      'llm_id',
      (await costs(api)).map(({ llm_id }) => llm_id),
    ),
    ...fields,
  })
}
const models = async (api: Api, fields: Doc): Promise<unknown[]> =>
  (await list(api, fields)).map(({ llm_id }) => llm_id)

for (const [name, expression] of [
  ['null', null],
  ['$and of $literal true', literals(true, true)],
] as const) {
  row(TITLE, `query ${name} lists every price of the project`, async (api) => {
    const found = new Set((await query(api, { query: expression })).map(({ llm_id }) => llm_id))
    same(
      (await costs(api)).filter(({ llm_id }) => !found.has(llm_id)),
      [],
      'prices that are missing',
    )
  })
}
row(TITLE, 'query $and with a $literal false lists none', async (api) =>
  same(await query(api, { query: literals(true, false) }), []),
)
row(TITLE, 'query $eq on a field lists the prices that have the value', async (api) => {
  const [first] = await costs(api)
  same(
    (await query(api, { query: fieldIs('llm_id', first?.llm_id) })).map(({ llm_id }) => llm_id),
    [first?.llm_id],
  )
})
row(TITLE, 'query that is not of the form {"$expr": …} is refused', async (api) =>
  api.refuses('/cost/query', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)

/** Names and prices rise, dates fall. */
for (const [field, upwards] of [
  ['llm_id', true],
  ['prompt_token_cost', true],
  ['effective_date', false],
] as const) {
  for (const direction of ['asc', 'desc']) {
    row(TITLE, `sort_by ${field} ${direction}`, async (api) => {
      const rising = (await costs(api)).map(({ llm_id }) => llm_id)
      const expected = upwards === (direction === 'asc') ? rising : rising.toReversed()
      same(await models(api, { sort_by: [{ field, direction }] }), expected)
    })
  }
}
row(TITLE, 'sort_by several fields, the first one first', async (api) => {
  const sort_by = [
    { field: 'provider_id', direction: 'asc' },
    { field: 'llm_id', direction: 'desc' },
  ]
  same(await models(api, { sort_by }), (await costs(api)).map(({ llm_id }) => llm_id).toReversed())
})
row(TITLE, 'sort_by has no direction but asc and desc', async (api) =>
  api.refuses('/cost/query', { project_id: api.project_id, sort_by: [{ field: 'id', direction: 'up' }] }),
)
