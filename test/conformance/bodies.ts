import type { Api, Doc } from './api.ts'
import { startItem, startRecord } from './call-records.ts'
import type { Type } from './expect.ts'
import { table, versions } from './fixtures.ts'

/** The request and response tables of SPEC section 4, as data. */
interface Field {
  readonly type: Type
  readonly required?: true
  /** What the field may hold when it is not null. */
  readonly example: (api: Api) => unknown
}

export interface OperationTable {
  readonly section: string
  readonly path: string
  /** Body fields with a value SPEC allows for them. */
  readonly fields: Readonly<Record<string, Field>>
  /** Keys that a successful answer must have. */
  readonly answer: Readonly<Record<string, Type | 'object or null'>>
}

const required = (type: Type, example: (api: Api) => unknown): Field => ({ type, required: true, example })
const nullable = (type: Type, example: unknown): Field => ({ type, example: () => example })

const project_id = required('string', (api) => api.project_id)
const limit = nullable('integer', 5)
const offset = nullable('integer', 0)
const query = nullable('object', { $expr: { $and: [{ $literal: true }] } })

export const TABLES: readonly OperationTable[] = [
  {
    section: '4.1',
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
    answer: { id: 'string', created_at: 'datetime', wb_user_id: 'string', payload: 'object' },
  },
  {
    section: '4.2',
    path: '/objs/query',
    fields: {
      project_id,
      filter: nullable('object', { latest_only: true }),
      limit,
      offset,
      sort_by: nullable('array', [{ field: 'created_at', direction: 'desc' }]),
      metadata_only: nullable('boolean', true),
    },
    answer: { objs: 'array' },
  },
  {
    section: '4.3',
    path: '/call/read',
    fields: {
      project_id,
      id: required('string', (api) => api.id()),
      include_costs: nullable('boolean', true),
    },
    answer: { call: 'object or null' },
  },
  {
    section: '4.4',
    path: '/call/upsert_batch',
    fields: { batch: required('array', (api) => [startItem(startRecord(api))]) },
    answer: { res: 'array' },
  },
  {
    section: '4.5',
    path: '/cost/query',
    fields: {
      project_id,
      fields: nullable('array', ['id', 'llm_id']),
      query,
      sort_by: nullable('array', [{ field: 'llm_id', direction: 'asc' }]),
      limit,
      offset,
    },
    answer: { results: 'array' },
  },
  {
    section: '4.6',
    path: '/table/query',
    fields: {
      project_id,
      digest: required('string', () => '0'.repeat(64)),
      filter: nullable('object', { row_digests: ['abc'] }),
      limit,
      offset,
      sort_by: nullable('array', [{ field: 'meta.rank', order: 'asc' }]),
    },
    answer: { rows: 'array' },
  },
  {
    section: '4.7',
    path: '/obj/read',
    fields: {
      project_id,
      object_id: required('string', () => 'nothing'),
      digest: required('string', () => 'abc'),
    },
    answer: { obj: 'object' },
  },
  {
    section: '4.8',
    path: '/call/start',
    fields: { start: required('object', (api) => startRecord(api)) },
    answer: { id: 'string', trace_id: 'string' },
  },
  {
    section: '4.9',
    path: '/calls/query_stats',
    fields: { project_id, filter: nullable('object', { trace_roots_only: true }), query },
    answer: { count: 'integer' },
  },
  {
    section: '4.10',
    path: '/feedback/query',
    fields: {
      project_id,
      fields: nullable('array', ['id', 'feedback_type', 'payload.note']),
      query,
      sort_by: nullable('array', [{ field: 'id', direction: 'asc' }]),
      limit,
      offset,
    },
    answer: { result: 'array' },
  },
]

/** The required fields alone, well-formed; what they name need not exist. */
export function requiredBody(table: OperationTable, api: Api): Doc {
  return bodyOf(table, api, (field) => field.required === true)
}

/** Every field with a value. */
export function fullBody(table: OperationTable, api: Api): Doc {
  return bodyOf(table, api, () => true)
}

function bodyOf(table: OperationTable, api: Api, wanted: (field: Field) => boolean): Doc {
  const fields = Object.entries(table.fields).filter(([, field]) => wanted(field))
  return Object.fromEntries(fields.map(([name, field]) => [name, field.example(api)]))
}

/** What a body must name so that the answer is a success: a version and a table that are there. */
export async function existing({ path }: OperationTable, api: Api): Promise<Doc> {
  if (path === '/obj/read') {
    const { object_id, digests } = await versions(api)
    return { object_id, digest: digests[0] }
  }
  return path === '/table/query' ? { digest: (await table(api)).digest } : {}
}
