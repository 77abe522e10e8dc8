import type { Api, Doc } from './api.ts'
import { hasType } from './expect.ts'
import { costs, feedback, fieldIn, fieldIs, objects, table } from './fixtures.ts'

/** The operations that return a list, each with a fixture whose order is known. */
export interface List {
  readonly path: string
  readonly responseKey: string
  readonly idField: string
  /** A field by which the expected order is ascending, and the name of its direction. */
  readonly sortField: string
  readonly directionKey: 'direction' | 'order'
  /** A body that matches only the fixture, in a fixed order, and the expected ids in that order. */
  readonly expected: (api: Api) => Promise<{ body: Doc; all: readonly unknown[] }>
}

export const LISTS: readonly List[] = [
  {
    path: '/objs/query',
    responseKey: 'objs',
    idField: 'object_id',
    sortField: 'object_id',
    directionKey: 'direction',
    expected: async (api) => {
      const all = await objects(api)
      return {
        body: { filter: { object_ids: all }, sort_by: [{ field: 'object_id', direction: 'asc' }] },
        all,
      }
    },
  },
  {
    path: '/table/query',
    responseKey: 'rows',
    idField: 'digest',
    sortField: 'n',
    directionKey: 'order',
    expected: async (api) => {
      const { digest, row_digests } = await table(api)
      return { body: { digest }, all: row_digests }
    },
  },
  {
    path: '/feedback/query',
    responseKey: 'result',
    idField: 'id',
    sortField: 'id',
    directionKey: 'direction',
    expected: async (api) => {
      const { feedback_type, ids } = await feedback(api)
      const sort_by = [{ field: 'id', direction: 'asc' }]
      return {
        body: { fields: ['id'], query: fieldIs('feedback_type', feedback_type), sort_by },
        all: ids.toSorted(),
      }
    },
  },
  {
    path: '/cost/query',
    responseKey: 'results',
    idField: 'llm_id',
    sortField: 'llm_id',
    directionKey: 'direction',
    expected: async (api) => {
      const all = (await costs(api)).map(({ llm_id }) => llm_id)
      return {
        body: { query: fieldIn('llm_id', all), sort_by: [{ field: 'llm_id', direction: 'asc' }] },
        all,
      }
    },
  },
]

/** The ids that a list returns for the body of its fixture, with these fields changed. */
export async function listed(list: List, api: Api, fields: Doc): Promise<unknown[]> {
  const { body } = await list.expected(api)
  const response = await api.postUndocumented(list.path, { project_id: api.project_id, ...body, ...fields })
  hasType(response[list.responseKey], 'array', list.responseKey)
  return (response[list.responseKey] as Doc[]).map((item) => item[list.idField])
}
