import type { Api, Doc } from './api.ts'
import { hasType } from './expect.ts'
import { fieldIs } from './fixtures.ts'

/** Queries for feedback records. */
export const queryFeedback = async (api: Api, fields: Doc): Promise<Doc[]> => {
  const { result } = await api.postUndocumented('/feedback/query', { project_id: api.project_id, ...fields })
  hasType(result, 'array', 'result')
  return result as Doc[]
}
export const byId = async (api: Api, id: unknown, fields: string[] | null = null): Promise<Doc[]> =>
  queryFeedback(api, { fields, query: fieldIs('id', id) })

/** A dotted field is returned under its dotted name or as a nested object. */
export const at = (record: Doc | undefined, path: string): unknown => {
  if (record === undefined || path in record) return record?.[path]
  return path.split('.').reduce<unknown>((value, key) => (value as Doc | null | undefined)?.[key], record)
}
