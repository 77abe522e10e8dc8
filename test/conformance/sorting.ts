import type { Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { fail, same } from './expect.ts'
import { LISTS, listed } from './lists.ts'
import { ODD_FIELDS, shown } from './odd-fields.ts'

/** Section 14: what every sort_by has in common. */

for (const list of LISTS) {
  const { path, idField, sortField, directionKey, expected } = list
  const subject = path.slice(1)
  const isTable = path === '/table/query'

  for (const bad of ['up', 'ASC', null, 1]) {
    check(
      '14.7',
      subject,
      `sort_by with the ${directionKey} ${JSON.stringify(bad)} is rejected`,
      async (api) => {
        const { body } = await expected(api)
        const sort_by = [{ field: sortField, [directionKey]: bad }]
        await api.rejects(path, { project_id: api.project_id, ...body, sort_by })
      },
    )
  }
  for (const bad of ['x', 1, {}, [1], [{ [directionKey]: 'asc' }], [{ field: 1, [directionKey]: 'asc' }]]) {
    check('14.7', subject, `sort_by ${JSON.stringify(bad)} is rejected`, async (api) => {
      const { body } = await expected(api)
      await api.rejects(path, { project_id: api.project_id, ...body, sort_by: bad })
    })
  }
  for (const empty of [[], null]) {
    check('14.8', subject, `sort_by ${JSON.stringify(empty)} returns every record`, async (api) => {
      const { all } = await expected(api)
      same((await listed(list, api, { sort_by: empty })).length, all.length, 'records')
    })
  }
  for (const [order, direction] of [
    ['asc', 'desc'],
    ['desc', 'asc'],
  ]) {
    checkDecision(
      '14.10',
      subject,
      `sort_by with order ${order} and direction ${direction}: order wins`,
      async (api) => {
        const { all } = await expected(api)
        const found = await listed(list, api, { sort_by: [{ field: sortField, order, direction }] })
        same(found, order === 'asc' ? all : all.toReversed(), idField)
      },
    )
  }
  for (const key of ['order', 'direction', undefined]) {
    checkDecision(
      key === undefined ? '14.11' : '14.10',
      subject,
      `sort_by with ${key ?? 'no direction'}`,
      async (api) => {
        const { all } = await expected(api)
        const direction = key === undefined ? {} : { [key]: 'desc' }
        const found = await listed(list, api, { sort_by: [{ field: sortField, ...direction }] })
        same(found, key === undefined ? all : all.toReversed(), idField)
      },
    )
  }
  for (const field of ODD_FIELDS) {
    check('14.12', subject, `sort_by the field ${shown(field)} does not fail`, async (api) => {
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
