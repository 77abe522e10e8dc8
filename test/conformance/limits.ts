import type { Api, Doc } from './api.ts'
import { row } from './check.ts'
import { hasType, same } from './expect.ts'
import { costs, feedback, fieldIn, fieldIs, objects, SIZE, table } from './fixtures.ts'

/** Section 8: limit and offset mean the same wherever they are. */
interface Paged {
  readonly path: string
  readonly answer: string
  readonly by: string
  /** A body that matches the fixture alone, in a fixed order, and the fixture in that order. */
  readonly of: (api: Api) => Promise<{ body: Doc; all: readonly unknown[] }>
}

const PAGED: readonly Paged[] = [
  {
    path: '/objs/query',
    answer: 'objs',
    by: 'object_id',
    of: async (api) => {
      const all = await objects(api)
      return {
        body: { filter: { object_ids: all }, sort_by: [{ field: 'object_id', direction: 'asc' }] },
        all,
      }
    },
  },
  {
    path: '/cost/query',
    answer: 'results',
    by: 'llm_id',
    of: async (api) => {
      const all = (await costs(api)).map(({ llm_id }) => llm_id)
      return {
        body: { query: fieldIn('llm_id', all), sort_by: [{ field: 'llm_id', direction: 'asc' }] },
        all,
      }
    },
  },
  {
    path: '/table/query',
    answer: 'rows',
    by: 'digest',
    of: async (api) => {
      const { digest, row_digests } = await table(api)
      return { body: { digest }, all: row_digests }
    },
  },
  {
    path: '/feedback/query',
    answer: 'result',
    by: 'id',
    of: async (api) => {
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
  ['an offset at the end leaves nothing', { offset: SIZE }, [SIZE, SIZE]],
  ['an offset beyond the end leaves nothing', { offset: SIZE + 10, limit: 2 }, [SIZE, SIZE]],
  ['limit and offset cut a window', { limit: 2, offset: 3 }, [3, 5]],
  ['limit null and offset null return all', { limit: null, offset: null }, [0, SIZE]],
  ['limit and offset omitted return all', {}, [0, SIZE]],
]

for (const { path, answer, by, of } of PAGED) {
  const title = `8 ${path.slice(1)}`
  const page = async (api: Api, fields: Doc): Promise<unknown[]> => {
    const { body } = await of(api)
    const got = (await api.postUnshown(path, { project_id: api.project_id, ...body, ...fields }))[answer]
    hasType(got, 'array', answer)
    return (got as Doc[]).map((item) => item[by])
  }
  for (const [name, fields, [from, to]] of WINDOWS) {
    row(title, name, async (api) => same(await page(api, fields), (await of(api)).all.slice(from, to), by))
  }
  row(title, 'pages follow each other without gap or repeat', async (api) => {
    const pages: unknown[] = []
    for (let offset = 0; offset < SIZE; offset += 2) pages.push(...(await page(api, { limit: 2, offset })))
    same(pages, (await of(api)).all, by)
  })
}
