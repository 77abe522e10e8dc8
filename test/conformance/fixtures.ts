import { setTimeout as pause } from 'node:timers/promises'
import { type Api, brief, type Doc, UNSUPPORTED_STATUSES } from './api.ts'
import { once, Skip } from './check.ts'
import { same } from './expect.ts'

/**
 * Data that the checks read. None of the ten operations creates objects, tables or prices. The fixtures use other
 * operations of the Weave protocol; where a server lacks one, the checks that need it are skipped.
 */
export const SIZE = 7

async function postOutsideSpec(api: Api, path: string, body: unknown): Promise<Doc> {
  const { status, text } = await api.send(path, body)
  if (status === 200) return JSON.parse(text) as Doc
  if (!api.isHeddle && UNSUPPORTED_STATUSES.includes(status))
    throw new Skip(`needs ${path}, which returned ${status} here`)
  throw new Error(`${path} returned ${status}: ${brief(text)}`)
}

export async function createObject(api: Api, object_id: string, val: unknown): Promise<string> {
  const { digest } = await postOutsideSpec(api, '/obj/create', {
    obj: { project_id: api.project_id, object_id, val },
  })
  // Versions are ordered by time: a server with a millisecond clock must see different times.
  await pause(5)
  return digest as string
}

export async function deleteObject(api: Api, object_id: string, digest: string): Promise<void> {
  await postOutsideSpec(api, '/obj/delete', { project_id: api.project_id, object_id, digests: [digest] })
}

/** Pass `rows` as JSON text for numbers that JavaScript would round. */
export async function createTable(api: Api, rows: unknown[] | string): Promise<TableFixture> {
  const text = typeof rows === 'string' ? rows : JSON.stringify(rows)
  const body = `{"table":{"project_id":${JSON.stringify(api.project_id)},"rows":${text}}}`
  const { digest, row_digests } = await postOutsideSpec(api, '/table/create', body)
  if (typeof rows !== 'string')
    same((row_digests as string[]).length, rows.length, 'row_digests of table/create')
  return { digest: digest as string, row_digests: row_digests as string[] }
}

export interface TableFixture {
  readonly digest: string
  readonly row_digests: string[]
}

/** Three versions of one object, oldest first. */
export const versions = once(async (api) => {
  const object_id = api.name('versions')
  const vals = [0, 1, 2].map((n) => ({
    n,
    text: `version ${n}`,
    list: [1, 'two', null],
    nested: { deep: true },
  }))
  const digests: string[] = []
  for (const val of vals) digests.push(await createObject(api, object_id, val))
  return { object_id, vals, digests }
})

/** Objects with one version each; names and creation times are in the same order. */
export const objects = once(async (api) => {
  const object_ids = Array.from({ length: SIZE }, (_, n) => api.name(`object-${n}`))
  for (const object_id of object_ids) await createObject(api, object_id, { name: object_id })
  return object_ids
})

/** `meta.rank` descends in insertion order. */
export const table = once(async (api) => {
  const vals = Array.from({ length: SIZE }, (_, n) => ({
    n,
    label: `row ${n} of ${api.run}`,
    meta: { rank: 100 - n * 10 },
  }))
  return { vals, ...(await createTable(api, vals)) }
})

/** Uses feedback/replace, the only operation of the ten that writes feedback. */
export async function replaceFeedback(api: Api, fields: Doc = {}): Promise<Doc> {
  return api.post('/feedback/replace', feedbackBody(api, fields))
}

export function feedbackBody(api: Api, fields: Doc = {}): Doc {
  return {
    project_id: api.project_id,
    item_ref: api.ref('call', api.id()),
    feedback_type: api.name('single'),
    payload: { note: 'a note' },
    feedback_id: api.id(),
    ...fields,
  }
}

/** Records of one type; `payload.n` ascends, `payload.rank` descends. The ids are those that the server returned. */
export const feedback = once(async (api) => {
  const feedback_type = api.name('list')
  const ids: string[] = []
  for (let n = 0; n < SIZE; n += 1) {
    const payload = { n, rank: 100 - n * 10, note: `note ${n}`, nested: { deep: `deep ${n}` } }
    ids.push((await replaceFeedback(api, { feedback_type, payload }))['id'] as string)
  }
  same(new Set(ids).size, SIZE, 'distinct ids of feedback/replace')
  return { feedback_type, ids }
})

export const costs = once(async (api) => {
  const entries = Array.from({ length: SIZE }, (_, n) => ({
    llm_id: api.name(`model-${n}`),
    prompt_token_cost: (n + 1) / 1024,
    completion_token_cost: (n + 1) / 512,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'EUR',
    effective_date: `2024-03-0${9 - n}T00:00:00.000000Z`,
    provider_id: 'conformance',
  }))
  const named = Object.fromEntries(entries.map(({ llm_id, ...price }) => [llm_id, price]))
  await postOutsideSpec(api, '/cost/create', { project_id: api.project_id, costs: named })
  return entries
})

/** A query `{"$expr": {"$and": […]}}` that matches one value of one field. */
export function fieldIs(field: string, value: unknown): Doc {
  return { $expr: { $and: [{ $eq: [{ $getField: field }, { $literal: value }] }] } }
}

export function fieldIn(field: string, values: readonly unknown[]): Doc {
  return { $expr: { $in: [{ $getField: field }, values.map((value) => ({ $literal: value }))] } }
}

export function literals(...values: unknown[]): Doc {
  return { $expr: { $and: values.map((value) => ({ $literal: value })) } }
}
