import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import {
  countStatement,
  type FeedbackQuery,
  pageStatement,
  selectField,
} from '../../src/store/feedback/feedback-query.ts'
import { type PriceQuery, priceStatement } from '../../src/store/costs/price-query.ts'
import { feedbackFields } from '../../src/store/feedback/feedback-fields.ts'
import { compileCondition } from '../../src/store/query/compile.ts'
import { compileSort } from '../../src/store/query/sort.ts'
import { join, type Sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

const everything = {
  project_id: 'acme/demo',
  limit: undefined,
  offset: undefined,
  query: undefined,
  sort_by: undefined,
  fields: undefined,
}

test('the statements of feedback queries bind every value and keep the tenant outside the condition', async () => {
  const always = { $or: [{ $eq: [{ $literal: 1 }, { $literal: 1 }] }] }
  const narrow = { $eq: [{ $getField: `payload.${HOSTILE}` }, { $literal: HOSTILE }] }
  const query = parseQuery(RawJson.fromValue({ $expr: { $and: [always, narrow] } }))
  const sort_by: FeedbackQuery['sort_by'] = [{ field: `payload.${HOSTILE}`, direction: 'desc' }]
  const request = { ...everything, query, sort_by, limit: 10, offset: 5 }
  await expect(
    show([
      ['feedback query: everything', pageStatement(everything, ['id', 'payload'].map(selectField))],
      [
        'feedback query: query, sort and page',
        pageStatement(request, ['item_ref', `payload.${HOSTILE}`].map(selectField)),
      ],
      ['feedback count', countStatement(request)],
    ]),
  ).toMatchFileSnapshot('./snapshots/feedback.sql')
})

test('values of a payload are compared by their JSON type', async () => {
  const literals = ['"3"', '3', '9007199254740993', '3.0', 'true', 'null', '[1]']
  const field = '{"$getField": "payload.a.0"}'
  const exprs = [
    ...literals.map((literal) => `{"$gte": [${field}, {"$literal": ${literal}}]}`),
    `{"$eq": [{"$literal": null}, ${field}]}`,
    `{"$in": [${field}, [${literals.map((literal) => `{"$literal": ${literal}}`).join(', ')}]]}`,
  ]
  const conditions = exprs.map((expr): [string, Sql] => {
    const query = parseQuery(RawJson.fromText(`{"$expr": ${expr}}`))
    return [expr, compileCondition(query!, feedbackFields)]
  })
  const order = compileSort([{ field: 'payload.a.0', direction: 'desc' }], feedbackFields)
  await expect(show([...conditions, ['sort_by', join(order, ', ')]])).toMatchFileSnapshot(
    './snapshots/feedback-by-type.sql',
  )
})

test('the statements of price queries bind every value and read the built-in prices by their own project', async () => {
  const own: PriceQuery = { ...everything, include_defaults: false }
  const query = parseQuery(
    RawJson.fromValue({ $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: HOSTILE }] } }),
  )
  const sort_by: PriceQuery['sort_by'] = [{ field: 'prompt_token_cost', direction: 'desc' }]
  const both: PriceQuery = { ...own, include_defaults: true, query, sort_by, limit: 10, offset: 5 }
  await expect(
    show([
      ['price query: everything', priceStatement(own, ['id'])],
      ['price query: defaults too', priceStatement(both, ['id', 'prompt_token_cost'])],
    ]),
  ).toMatchFileSnapshot('./snapshots/prices.sql')
})
