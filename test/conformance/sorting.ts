import type { Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { fail, same } from './expect.ts'
import { LISTS, listed } from './lists.ts'

/** Sections 4.2, 4.5, 4.6 and 4.10: what every sort_by has in common. */

/** Names of fields that are none; some try to become SQL. */
const ODD_FIELDS = [
  "x' OR 1=1 --",
  'x`) OR (1=1',
  'id) UNION ALL SELECT 1 --',
  "x\\'y",
  'x\u0000y',
  '{p0:String}',
  '(SELECT 1)',
  'x::Int64',
  'x\\',
  '*',
  '',
  '.',
  'a..b',
  '日本',
  `${'a.'.repeat(150)}b`,
]

for (const list of LISTS) {
  const { section, path, idField, sortField, directionKey, expected } = list
  const title = `${section} ${path.slice(1)}`
  const isTable = path === '/table/query'

  for (const bad of ['up', 'ASC', null, 1]) {
    check(title, `sort_by with the ${directionKey} ${JSON.stringify(bad)} is rejected`, async (api) => {
      const { body } = await expected(api)
      const sort_by = [{ field: sortField, [directionKey]: bad }]
      await api.rejects(path, { project_id: api.project_id, ...body, sort_by })
    })
  }
  for (const bad of ['x', 1, {}, [1], [{ [directionKey]: 'asc' }], [{ field: 1, [directionKey]: 'asc' }]]) {
    check(title, `sort_by ${JSON.stringify(bad)} is rejected`, async (api) => {
      const { body } = await expected(api)
      await api.rejects(path, { project_id: api.project_id, ...body, sort_by: bad })
    })
  }
  for (const empty of [[], null]) {
    check(title, `sort_by ${JSON.stringify(empty)} returns every record`, async (api) => {
      const { all } = await expected(api)
      same((await listed(list, api, { sort_by: empty })).length, all.length, 'records')
    })
  }
  for (const [order, direction] of [
    ['asc', 'desc'],
    ['desc', 'asc'],
  ]) {
    checkDecision(
      title,
      `sort_by with order ${order} and direction ${direction}: order wins`,
      async (api) => {
        const { all } = await expected(api)
        const found = await listed(list, api, { sort_by: [{ field: sortField, order, direction }] })
        same(found, order === 'asc' ? all : all.toReversed(), idField)
      },
    )
  }
  for (const key of ['order', 'direction', undefined]) {
    checkDecision(title, `sort_by with ${key ?? 'no direction'}`, async (api) => {
      const { all } = await expected(api)
      const direction = key === undefined ? {} : { [key]: 'desc' }
      const found = await listed(list, api, { sort_by: [{ field: sortField, ...direction }] })
      same(found, key === undefined ? all : all.toReversed(), idField)
    })
  }
  for (const field of ODD_FIELDS) {
    check(title, `sort_by the field ${JSON.stringify(field).slice(0, 40)} does not fail`, async (api) => {
      const { body } = await expected(api)
      const request: Doc = {
        project_id: api.project_id,
        ...body,
        sort_by: [{ field, [directionKey]: 'asc' }],
      }
      const { status, text } = await api.send(path, request)
      if (status >= 500) fail('status', 'a status below 500', `${status} ${text}`)
      if (api.isHeddle && !isTable) same([400, 422].includes(status), true, `rejection (${status})`)
    })
  }
}
