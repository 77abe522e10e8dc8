import type { Api, Doc } from './api.ts'
import { check, checkDecision, once } from './check.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { fail, hasType, instant, same, sameMembers, type Type } from './expect.ts'
import { costs, fieldIn, fieldIs, literals } from './fixtures.ts'
import { ODD_FIELDS, shown } from './odd-fields.ts'

/** Section 10: costs per model. */
const TITLE = 'cost/query'

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
  check('10.1', 'cost record', `${field} is a ${type} with the stored value`, async (api) =>
    checkField(field, type, await one(api)),
  )
  check('10.3', TITLE, `fields [${field}]: each record has it`, async (api) => {
    const found = await one(api, [field])
    checkField(field, type, found)
    if (api.isHeddle) same(Object.keys(found.record), [field], 'fields')
  })
}
check('10.2', 'cost record', 'ids of different records differ', async (api) => {
  const found = await list(api, { fields: ['id'] })
  same(new Set(found.map(({ id }) => id)).size, (await costs(api)).length, 'distinct ids')
})
check('10.3', TITLE, 'fields: several', async (api) => {
  const { record } = await one(api, ['provider_id', 'id', 'prompt_token_cost'])
  for (const field of ['provider_id', 'id', 'prompt_token_cost'])
    hasType(record[field], FIELDS[field] ?? 'string', field)
})
check('10.4', TITLE, 'an unknown name in fields is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, fields: ['nothing'] }),
)
for (const bad of ['id', 1, {}, [1], [null]]) {
  check('10.4', TITLE, `fields ${JSON.stringify(bad)} is rejected`, async (api) =>
    api.rejectsNaming('fields', '/cost/query', { project_id: api.project_id, fields: bad }),
  )
}
checkDecision('10.5', TITLE, 'a project without prices of its own lists none', async (api) =>
  same(await api.post('/cost/query', { project_id: `${api.project_id}-none-${api.run}` }), { results: [] }),
)
for (const effective_date of ['1899-12-31T23:59:59Z', '2300-01-01T00:00:00Z', 'yesterday']) {
  checkDecision(
    '10.8',
    'cost record',
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
check('10.6', TITLE, 'query $gt on a price compares numbers', async (api) => {
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

for (const [rule, name, expression] of [
  ['15.2', 'null', null],
  ['15.1', '$and of $literal true', literals(true, true)],
] as const) {
  check(rule, TITLE, `query ${name} lists every price of the project`, async (api) => {
    const found = new Set((await query(api, { query: expression })).map(({ llm_id }) => llm_id))
    same(
      (await costs(api)).filter(({ llm_id }) => !found.has(llm_id)),
      [],
      'missing prices',
    )
  })
}
check('15.1', TITLE, 'query $and with a $literal false lists none', async (api) =>
  same(await query(api, { query: literals(true, false) }), []),
)
check('10.6', TITLE, 'query $eq on a field lists the prices with that value', async (api) => {
  const [first] = await costs(api)
  same(
    (await query(api, { query: fieldIs('llm_id', first?.llm_id) })).map(({ llm_id }) => llm_id),
    [first?.llm_id],
  )
})
check('15.4', TITLE, 'a query without $expr is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)

/** In the fixture, names and prices ascend and dates descend. */
for (const [field, isAscending] of [
  ['llm_id', true],
  ['prompt_token_cost', true],
  ['effective_date', false],
] as const) {
  for (const direction of ['asc', 'desc']) {
    check('10.7', TITLE, `sort_by ${field} ${direction}`, async (api) => {
      const ascending = (await costs(api)).map(({ llm_id }) => llm_id)
      const expected = isAscending === (direction === 'asc') ? ascending : ascending.toReversed()
      same(await models(api, { sort_by: [{ field, direction }] }), expected)
    })
  }
}
check('14.9', TITLE, 'sort_by several fields: the first takes precedence', async (api) => {
  const sort_by = [
    { field: 'provider_id', direction: 'asc' },
    { field: 'llm_id', direction: 'desc' },
  ]
  same(await models(api, { sort_by }), (await costs(api)).map(({ llm_id }) => llm_id).toReversed())
})
check('14.7', TITLE, 'sort_by with a direction other than asc and desc is rejected', async (api) =>
  api.rejects('/cost/query', { project_id: api.project_id, sort_by: [{ field: 'id', direction: 'up' }] }),
)

for (const [field, type] of Object.entries(FIELDS)) {
  for (const direction of ['asc', 'desc']) {
    check('10.7', TITLE, `sort_by ${field} ${direction} orders by its values`, async (api) => {
      const values = (await list(api, { fields: [field], sort_by: [{ field, direction }] })).map(
        (price) => price[field],
      )
      const before = (a: unknown, b: unknown): number =>
        type === 'number' ? Number(a) - Number(b) : String(a) < String(b) ? -1 : 1
      const ascending = values.toSorted(before)
      same(values, direction === 'asc' ? ascending : ascending.toReversed(), field)
    })
  }
}
for (const field of ODD_FIELDS) {
  checkDecision('10.4', TITLE, `fields [${shown(field)}] is rejected`, async (api) =>
    api.rejects('/cost/query', { project_id: api.project_id, fields: [field] }),
  )
}
check('10.6', TITLE, 'query $and of two fields lists the prices with both values', async (api) => {
  const [first, second] = await costs(api)
  const price = (of: Doc | undefined): Doc => fieldIs('prompt_token_cost', of?.['prompt_token_cost'])
  for (const [other, expected] of [
    [first, 1],
    [second, 0],
  ] as const) {
    const both = [fieldIs('llm_id', first?.llm_id), price(other)].map((each) => each['$expr'])
    same((await query(api, { query: { $expr: { $and: both } } })).length, expected, 'prices')
  }
})

/** Prices that floating point does not represent, and integers; none has a unit. */
const PRICES = { decimal: [0.001, 1e-7], integer: [3, 0] } as const
const plainPrices = once(async (api) => {
  const project_id = `${api.project_id}-prices-${api.run}`
  const named = Object.entries(PRICES).map(([name, [prompt_token_cost, completion_token_cost]]) => [
    name,
    { prompt_token_cost, completion_token_cost, effective_date: '2024-01-01T00:00:00Z' },
  ])
  await api.post('/cost/create', { project_id, costs: Object.fromEntries(named) as Doc })
  const { results } = await api.post('/cost/query', { project_id })
  return { project_id, prices: results as Doc[] }
})
checkDecision('10.5', TITLE, 'lists the prices of the project, and no others', async (api) =>
  sameMembers(
    (await plainPrices(api)).prices.map(({ llm_id }) => llm_id),
    Object.keys(PRICES),
    'models',
  ),
)
for (const [name, expected] of Object.entries(PRICES)) {
  checkDecision(
    '10.1',
    'cost record',
    `prices ${expected.join(' and ')} are exactly as sent`,
    async (api) => {
      const price = (await plainPrices(api)).prices.find(({ llm_id }) => llm_id === name)
      same([price?.['prompt_token_cost'], price?.['completion_token_cost']], expected, 'prices')
    },
  )
}
checkDecision('10.9', 'cost record', 'a unit that was not sent is USD', async (api) => {
  for (const price of (await plainPrices(api)).prices)
    same([price['prompt_token_cost_unit'], price['completion_token_cost_unit']], ['USD', 'USD'], 'units')
})

/** Section 3: the costs of a call. */
const callWithUsage = once(async (api) => {
  const { project_id } = await plainPrices(api)
  const start = startRecord(api, { project_id, started_at: '2024-05-01T00:00:00Z' })
  const usage = { integer: { prompt_tokens: 10, completion_tokens: 5, requests: 1 } }
  await sendBatch(api, [
    startItem(start),
    endItem(start, { ended_at: '2024-05-01T00:00:01Z', summary: { usage } }),
  ])
  return { project_id, id: start['id'] }
})
checkDecision(
  '3.15',
  'call/read',
  'include_costs returns tokens times price in summary.weave.costs',
  async (api) => {
    const { id, project_id } = await callWithUsage(api)
    const { summary } = await readCall(api, id, { project_id, include_costs: true })
    const { costs: found } = (summary as { weave: { costs: Record<string, Doc> } }).weave
    const { prompt_tokens_total_cost, completion_tokens_total_cost } = found['integer'] ?? {}
    same([prompt_tokens_total_cost, completion_tokens_total_cost], [30, 0], 'costs')
  },
)
checkDecision('3.15', 'call/read', 'there are no costs without include_costs', async (api) =>
  same(
    (await api.send('/call/read', await callWithUsage(api))).text.includes('"costs"'),
    false,
    'presence of costs',
  ),
)
