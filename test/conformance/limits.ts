import type { Doc } from './api.ts'
import { check, checkDecision } from './check.ts'
import { same } from './expect.ts'
import { SIZE } from './fixtures.ts'
import { LISTS, listed } from './lists.ts'

/** Section 8: limit and offset mean the same in every operation. */
const WINDOWS: readonly (readonly [name: string, fields: Doc, expected: readonly [number, number]])[] = [
  ['limit 0 returns nothing', { limit: 0 }, [0, 0]],
  ['limit 1 returns the first', { limit: 1 }, [0, 1]],
  ['limit 3 returns the first three', { limit: 3 }, [0, 3]],
  ['a limit beyond the end returns all', { limit: SIZE + 10 }, [0, SIZE]],
  ['offset 0 skips nothing', { offset: 0 }, [0, SIZE]],
  ['offset 2 skips two', { offset: 2 }, [2, SIZE]],
  ['an offset at the end returns nothing', { offset: SIZE }, [SIZE, SIZE]],
  ['an offset beyond the end returns nothing', { offset: SIZE + 10, limit: 2 }, [SIZE, SIZE]],
  ['limit and offset select a window', { limit: 2, offset: 3 }, [3, 5]],
  ['limit null and offset null return all', { limit: null, offset: null }, [0, SIZE]],
  ['limit and offset omitted return all', {}, [0, SIZE]],
]

/** SPEC has integers or null. */
const NOT_INTEGERS: readonly unknown[] = ['3', 1.5, true, [], {}]

for (const list of LISTS) {
  const { path, idField, expected } = list
  const title = `8 ${path.slice(1)}`
  for (const [name, fields, [from, to]] of WINDOWS) {
    check(title, name, async (api) =>
      same(await listed(list, api, fields), (await expected(api)).all.slice(from, to), idField),
    )
  }
  check(title, 'consecutive pages have no gaps and no repeats', async (api) => {
    const pages: unknown[] = []
    for (let offset = 0; offset < SIZE; offset += 2)
      pages.push(...(await listed(list, api, { limit: 2, offset })))
    same(pages, (await expected(api)).all, idField)
  })
  for (const field of ['limit', 'offset']) {
    for (const value of NOT_INTEGERS) {
      check(title, `${field} ${JSON.stringify(value)} is rejected`, async (api) => {
        const { body } = await expected(api)
        await api.rejectsNaming(field, path, { project_id: api.project_id, ...body, [field]: value })
      })
    }
    checkDecision(title, `${field} -1 is rejected with the status of a wrong type`, async (api) => {
      const { body } = await expected(api)
      const request = { project_id: api.project_id, ...body }
      const statuses = []
      for (const value of [-1, 'some'])
        statuses.push((await api.send(path, { ...request, [field]: value })).status)
      same(statuses, [422, 422], 'statuses')
    })
  }
}
