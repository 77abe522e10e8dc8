import { ApiError } from '../../contract/api-error.ts'
import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Caller } from '../deps.ts'
import type { V1Handlers } from './v1-handlers.ts'

/** Reads calls for the v2 routes. */

/** Finds a call by id; undefined if `id` is null or there is no such call. */
export async function findCall(
  v1: V1Handlers,
  project_id: string,
  id: string | null,
  caller: Caller,
): Promise<Call | undefined> {
  if (id === null) return undefined
  return (await v1.call_read({ project_id, id }, caller)).call ?? undefined
}

/** Reads a call of one kind. Throws `not_found` unless it exists and `matches`; `label` names the kind in the error. */
export async function readCall(
  v1: V1Handlers,
  { project_id, id }: { project_id: string; id: string },
  { label, matches }: { label: string; matches: (call: Call) => boolean | Promise<boolean> },
  caller: Caller,
): Promise<Call> {
  const call = await findCall(v1, project_id, id, caller)
  if (call === undefined || !(await matches(call)))
    throw new ApiError('not_found', `${label} ${id} not found`)
  return call
}

/** Streams the calls that match a query. */
export async function* queryCalls(v1: V1Handlers, query: CallsQuery, caller: Caller): AsyncGenerator<Call> {
  yield* await v1.readCalls(query, caller)
}

interface Page {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/** Applies offset and limit to a stream that no single query produces. */
export async function* paginate<T>(source: AsyncIterable<T>, { limit, offset }: Page): AsyncGenerator<T> {
  if (limit === 0) return
  let position = 0
  const first = offset ?? 0
  const end = limit === null || limit === undefined ? Number.POSITIVE_INFINITY : first + limit
  for await (const item of source) {
    if (position >= first) yield item
    position++
    if (position >= end) return
  }
}

/** Query for calls that are marked as predictions or scores in `attributes.weave`. */
export function weaveFlagQuery(key: 'prediction' | 'score'): RawJson {
  return RawJson.fromValue({
    $expr: { $eq: [{ $getField: `attributes.weave.${key}` }, { $literal: 'true' }] },
  })
}
