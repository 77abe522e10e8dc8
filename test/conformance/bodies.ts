import type { Api, Doc } from './api.ts'
import { startItem, startRecord } from './call-records.ts'
import type { Type } from './expect.ts'
import { table, versions } from './fixtures.ts'

/** The tables *Request* and *Response* of sections 1 to 10, as data. A unit test compares them. */
interface Field {
  readonly type: Type
  readonly required?: true
  /** A valid value other than null. */
  readonly example: (api: Api) => unknown
}

export interface OperationTable {
  readonly path: string
  /** Fields of the request body, each with a valid value. */
  readonly fields: Readonly<Record<string, Field>>
  /** Keys that a successful response must have. */
  readonly responseFields: Readonly<Record<string, Type | 'object or null'>>
}

const required = (type: Type, example: (api: Api) => unknown): Field => ({ type, required: true, example })
const nullable = (type: Type, example: unknown): Field => ({ type, example: () => example })

const project_id = required('string', (api) => api.project_id)
const limit = nullable('integer', 5)
const offset = nullable('integer', 0)
const query = nullable('object', { $expr: { $and: [{ $literal: true }] } })

export const TABLES: readonly OperationTable[] = [
  {
    path: '/call/start',
    fields: { start: required('object', (api) => startRecord(api)) },
    responseFields: { id: 'string', trace_id: 'string' },
  },
  {
    path: '/call/upsert_batch',
    fields: { batch: required('array', (api) => [startItem(startRecord(api))]) },
    responseFields: { res: 'array' },
  },
  {
    path: '/call/read',
    fields: {
      project_id,
      id: required('string', (api) => api.id()),
      include_costs: nullable('boolean', true),
    },
    responseFields: { call: 'object or null' },
  },
  {
    path: '/calls/query_stats',
    fields: { project_id, filter: nullable('object', { trace_roots_only: true }), query },
    responseFields: { count: 'integer' },
  },
  {
    path: '/obj/read',
    fields: {
      project_id,
      object_id: required('string', () => 'nothing'),
      digest: required('string', () => 'abc'),
    },
    responseFields: { obj: 'object' },
  },
  {
    path: '/objs/query',
    fields: {
      project_id,
      filter: nullable('object', { latest_only: true }),
      limit,
      offset,
      sort_by: nullable('array', [{ field: 'created_at', direction: 'desc' }]),
      metadata_only: nullable('boolean', true),
    },
    responseFields: { objs: 'array' },
  },
  {
    path: '/table/query',
    fields: {
      project_id,
      digest: required('string', () => '0'.repeat(64)),
      filter: nullable('object', { row_digests: ['abc'] }),
      limit,
      offset,
      sort_by: nullable('array', [{ field: 'meta.rank', order: 'asc' }]),
    },
    responseFields: { rows: 'array' },
  },
  {
    path: '/feedback/replace',
    fields: {
      project_id,
      item_ref: required('string', (api) => api.ref('call', api.id())),
      feedback_type: required('string', (api) => api.name('single')),
      payload: required('object', () => ({ note: 'a note' })),
      feedback_id: required('string', (api) => api.id()),
      creator: nullable('string', 'Ada'),
      annotation_ref: { type: 'string', example: (api) => api.ref('object', 'spec:abc') },
      runnable_ref: { type: 'string', example: (api) => api.ref('op', 'scorer:abc') },
      call_ref: { type: 'string', example: (api) => api.ref('call', api.id()) },
      trigger_ref: { type: 'string', example: (api) => api.ref('object', 'trigger:abc') },
      wb_user_id: nullable('string', null),
    },
    responseFields: { id: 'string', created_at: 'datetime', wb_user_id: 'string', payload: 'object' },
  },
  {
    path: '/feedback/query',
    fields: {
      project_id,
      fields: nullable('array', ['id', 'feedback_type', 'payload.note']),
      query,
      sort_by: nullable('array', [{ field: 'id', direction: 'asc' }]),
      limit,
      offset,
    },
    responseFields: { result: 'array' },
  },
  {
    path: '/cost/query',
    fields: {
      project_id,
      fields: nullable('array', ['id', 'llm_id']),
      query,
      sort_by: nullable('array', [{ field: 'llm_id', direction: 'asc' }]),
      limit,
      offset,
    },
    responseFields: { results: 'array' },
  },
]

/** The required fields only, well-formed; the records they refer to need not exist. */
export function requiredBody(table: OperationTable, api: Api): Doc {
  return buildBody(table, api, (field) => field.required === true)
}

/** Every field with a value. */
export function fullBody(table: OperationTable, api: Api): Doc {
  return buildBody(table, api, () => true)
}

function buildBody(table: OperationTable, api: Api, isIncluded: (field: Field) => boolean): Doc {
  const fields = Object.entries(table.fields).filter(([, field]) => isIncluded(field))
  return Object.fromEntries(fields.map(([name, field]) => [name, field.example(api)]))
}

/** Ids of an existing object version or table, which these requests need to succeed. */
export async function existingIds({ path }: OperationTable, api: Api): Promise<Doc> {
  if (path === '/obj/read') {
    const { object_id, digests } = await versions(api)
    return { object_id, digest: digests[0] }
  }
  return path === '/table/query' ? { digest: (await table(api)).digest } : {}
}
