import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import { inGroups } from '../../core/concurrency/grouped.ts'
import type { Caller } from '../deps.ts'
import type { Classic } from './classic.ts'

/** Reading the calls that typed routes show. */

export async function findCall(
  classic: Classic,
  project_id: string,
  id: string | null,
  caller: Caller,
): Promise<Call | undefined> {
  if (id === null) return undefined
  return (await classic.call_read({ project_id, id }, caller)).call ?? undefined
}

/** The call that is `word` by what `isOne` says. */
export async function readCall(
  classic: Classic,
  { project_id, id }: { project_id: string; id: string },
  { word, isOne }: { word: string; isOne: (call: Call) => boolean | Promise<boolean> },
  caller: Caller,
): Promise<Call> {
  const call = await findCall(classic, project_id, id, caller)
  if (call === undefined || !(await isOne(call))) throw new ApiError('not_found', `${word} ${id} not found`)
  return call
}

export async function* queryCalls(classic: Classic, query: CallsQuery, caller: Caller): AsyncGenerator<Call> {
  yield* await classic.calls_query_stream(query, caller)
}

/** Trials at a time whose children are looked up. */
const GROUP_TRIALS = 250

export interface Trial {
  readonly trial: Call
  readonly children: readonly Call[]
}

/** Calls with their children, in their order. */
export async function* withChildren(
  classic: Classic,
  project_id: string,
  parents: AsyncIterable<Call>,
  caller: Caller,
): AsyncGenerator<Trial> {
  for await (const group of inGroups(parents, GROUP_TRIALS)) {
    const children = new Map<string, Call[]>(group.map((trial) => [trial.id, []]))
    const filter = { parent_ids: [...children.keys()] }
    for await (const child of queryCalls(classic, { project_id, filter }, caller))
      children.get(child.parent_id ?? '')?.push(child)
    for (const trial of group) yield { trial, children: children.get(trial.id) ?? [] }
  }
}

interface Page {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/** A page of a list that no single statement makes. */
export async function* pageOf<T>(source: AsyncIterable<T>, { limit, offset }: Page): AsyncGenerator<T> {
  if (limit === 0) return
  let at = 0
  const first = offset ?? 0
  const end = limit === null || limit === undefined ? Number.POSITIVE_INFINITY : first + limit
  for await (const item of source) {
    if (at >= first) yield item
    at++
    if (at >= end) return
  }
}
