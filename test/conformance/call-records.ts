import type { Api, Doc } from './api.ts'
import { hasType } from './expect.ts'

/** Request bodies of calls: start record, end record, and a batch of both. */
export const STARTED_AT = '2024-05-06T07:08:09.123456Z'
export const ENDED_AT = '2024-05-06T07:08:11.654321Z'

export function startRecord(api: Api, fields: Doc = {}): Doc {
  return {
    project_id: api.project_id,
    id: api.id(),
    op_name: api.name('op'),
    trace_id: api.id(),
    started_at: STARTED_AT,
    attributes: {},
    inputs: {},
    ...fields,
  }
}

export function startItem(start: Doc): Doc {
  return { mode: 'start', req: { start } }
}

/** Another server may have another form of end. */
export function endItem({ project_id, id }: Doc, fields: Doc = {}): Doc {
  const end = { project_id, id, ended_at: ENDED_AT, output: null, summary: {}, ...fields }
  return { mode: 'end', req: { end } }
}

export async function sendBatch(api: Api, items: Doc[]): Promise<Doc[]> {
  const shown = items.every(({ mode }) => mode === 'start')
  const path = '/call/upsert_batch'
  const { res } = await (shown
    ? api.post(path, { batch: items })
    : api.postUndocumented(path, { batch: items }))
  hasType(res, 'array', 'res')
  return res as Doc[]
}

export async function readCall(api: Api, id: unknown, fields: Doc = {}): Promise<Doc> {
  const { call } = await api.post('/call/read', { project_id: api.project_id, id, ...fields })
  hasType(call, 'object', 'call')
  return call as Doc
}
