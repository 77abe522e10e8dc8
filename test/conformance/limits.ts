import type { Api, Doc } from './api.ts'
import { check } from './check.ts'
import { hasType, same } from './expect.ts'
import { costs, feedback, fieldIn, fieldIs, objects, SIZE, table } from './fixtures.ts'

/** Section 8: limit and offset mean the same in every operation. */
interface Paged {
  readonly path: string
  readonly responseKey: string
  readonly idField: string
  /** A body that matches only the fixture, in a fixed order, and the expected ids in that order. */
  readonly expected: (api: Api) => Promise<{ body: Doc; all: readonly unknown[] }>
}

const PAGED: readonly Paged[] = [
  {
    path: '/objs/query',
    responseKey: 'objs',
    idField: 'object_id',
    expected: async (api) => {
      const all = await objects(api)
      return {
        body: { filter: { object_ids: all }, sort_by: [{ field: 'object_id', direction: 'asc' }] },
        all,
      }
    },
  },
  {
    path: '/cost/query',
    responseKey: 'results',
    idField: 'llm_id',
    expected: async (api) => {
      const all = (await costs(api)).map(({ llm_id }) => llm_id)
      return {
        body: { query: fieldIn('llm_id', all), sort_by: [{ field: 'llm_id', direction: 'asc' }] },
        all,
      }
    },
  },
  {
    path: '/table/query',
    responseKey: 'rows',
    idField: 'digest',
    expected: async (api) => {
      const { digest, row_digests } = await table(api)
      return { body: { digest }, all: row_digests }
    },
  },
  {
    path: '/feedback/query',
    responseKey: 'result',
    idField: 'id',
    expected: async (api) => {
      const { feedback_type, ids } = await feedback(api)
      const sort_by = [{ field: 'id', direction: 'asc' }]
      return {
        body: { fields: ['id'], query: fieldIs('feedback_type', feedback_type), sort_by },
        all: ids.toSorted(),
      }
    },
  },
]

const WINDOWS: readonly (readonly [name: string, fields: Doc, expected: readonly [number, number]])[] = [
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

for (const { path, responseKey, idField, expected } of PAGED) {
  const title = `8 ${path.slice(1)}`
  const page = async (api: Api, fields: Doc): Promise<unknown[]> => {
    const { body } = await expected(api)
    const got = (await api.postUndocumented(path, { project_id: api.project_id, ...body, ...fields }))[
      responseKey
    ]
    hasType(got, 'array', responseKey)
    return (got as Doc[]).map((item) => item[idField])
  }
  for (const [name, fields, [from, to]] of WINDOWS) {
    check(title, name, async (api) =>
      same(await page(api, fields), (await expected(api)).all.slice(from, to), idField),
    )
  }
  check(title, 'consecutive pages have no gaps and no repeats', async (api) => {
    const pages: unknown[] = []
    for (let offset = 0; offset < SIZE; offset += 2) pages.push(...(await page(api, { limit: 2, offset })))
    same(pages, (await expected(api)).all, idField)
  })
}
