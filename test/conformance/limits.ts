import type { Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { same } from './expect.ts'
import { SIZE } from './fixtures.ts'
import { LISTS, listed } from './lists.ts'

/** Section 14: limit and offset mean the same in every operation. */
type Window = readonly [rule: string, name: string, fields: Doc, expected: readonly [number, number]]
const WINDOWS: readonly Window[] = [
  ['14.2', 'limit 0 returns nothing', { limit: 0 }, [0, 0]],
  ['14.2', 'limit 1 returns the first', { limit: 1 }, [0, 1]],
  ['14.2', 'limit 3 returns the first three', { limit: 3 }, [0, 3]],
  ['14.2', 'a limit beyond the end returns all', { limit: SIZE + 10 }, [0, SIZE]],
  ['14.3', 'offset 0 skips nothing', { offset: 0 }, [0, SIZE]],
  ['14.3', 'offset 2 skips two', { offset: 2 }, [2, SIZE]],
  ['14.3', 'an offset at the end returns nothing', { offset: SIZE }, [SIZE, SIZE]],
  ['14.3', 'an offset beyond the end returns nothing', { offset: SIZE + 10, limit: 2 }, [SIZE, SIZE]],
  ['14.3', 'an offset of 10^15 returns nothing', { offset: 1e15 }, [SIZE, SIZE]],
  ['14.4', 'limit and offset select a window', { limit: 2, offset: 3 }, [3, 5]],
  ['14.1', 'limit null and offset null return all', { limit: null, offset: null }, [0, SIZE]],
  ['14.1', 'limit and offset omitted return all', {}, [0, SIZE]],
]

const NOT_INTEGERS: readonly unknown[] = ['3', 1.5, true, [], {}]

for (const list of LISTS) {
  const { path, idField, expected } = list
  const subject = path.slice(1)
  for (const [rule, name, fields, [from, to]] of WINDOWS) {
    check(rule, subject, name, async (api) =>
      same(await listed(list, api, fields), (await expected(api)).all.slice(from, to), idField),
    )
  }
  check('14.4', subject, 'consecutive pages have no gaps and no repeats', async (api) => {
    const pages: unknown[] = []
    for (let offset = 0; offset < SIZE; offset += 2)
      pages.push(...(await listed(list, api, { limit: 2, offset })))
    same(pages, (await expected(api)).all, idField)
  })
  for (const field of ['limit', 'offset']) {
    for (const value of NOT_INTEGERS) {
      check('14.5', subject, `${field} ${JSON.stringify(value)} is rejected`, async (api) => {
        const { body } = await expected(api)
        await api.rejectsNaming(field, path, { project_id: api.project_id, ...body, [field]: value })
      })
    }
    checkDecision('14.6', subject, `${field} -1 is rejected with the status of a wrong type`, async (api) => {
      const { body } = await expected(api)
      const request = { project_id: api.project_id, ...body }
      const statuses = []
      for (const value of [-1, 'some'])
        statuses.push((await api.send(path, { ...request, [field]: value })).status)
      same(statuses, [422, 422], 'statuses')
    })
  }
}
