import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type AnsweredCall, factsOf } from '../call/call-facts.ts'
import { kindByAttributes, kindByName } from '../call/kind.ts'
import { shortOpName } from '../call/op-name.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { type ComparedCall, type ComparedTree, PREVIEW_CHARACTERS } from './compared-call.ts'

/** More calls than this of one trace are not laid beside others. */
const MOST_CALLS = 10_000
const PAGE = 1000
const PARENTS_AT_ONCE = 500

/** A call with everything below it. */
export async function readTree(project: Project, callId: string, signal: AbortSignal): Promise<ComparedTree> {
  const [call] = await readSome(project, { call_ids: [callId] }, 1, signal)
  if (call === undefined)
    throw new ApiError('not_found', `there is no call ${callId} in ${project.project_id}`)
  const below =
    call.parent_id === null
      ? await readSome(project, { trace_ids: [call.trace_id] }, MOST_CALLS, signal)
      : await readBelow(project, callId, signal)
  return treeOf(call, below)
}

/** Level by level: the trace around a call in the middle of one may be much larger than what is below it. */
async function readBelow(project: Project, callId: string, signal: AbortSignal): Promise<AnsweredCall[]> {
  const found: AnsweredCall[] = []
  for (let parents = [callId]; parents.length > 0 && found.length < MOST_CALLS;) {
    const next: string[] = []
    for (let from = 0; from < parents.length; from += PARENTS_AT_ONCE) {
      const parent_ids = parents.slice(from, from + PARENTS_AT_ONCE)
      for (const call of await readSome(project, { parent_ids }, MOST_CALLS - found.length, signal)) {
        found.push(call)
        next.push(call.id)
      }
    }
    parents = next
  }
  return found
}

async function readSome(
  project: Project,
  filter: { call_ids?: string[]; trace_ids?: string[]; parent_ids?: string[] },
  most: number,
  signal: AbortSignal,
): Promise<AnsweredCall[]> {
  const found: AnsweredCall[] = []
  let cursor: string | null = null
  do {
    const page: { readonly calls: readonly AnsweredCall[]; readonly cursor: string | null } = await api.call(
      'project_calls',
      {
        ...inPath(project),
        filter,
        direction: 'asc',
        columns: [...FACT_COLUMNS, 'attributes'],
        include_costs: true,
        include_usernames: true,
        preview_characters: PREVIEW_CHARACTERS,
        limit: Math.max(1, Math.min(PAGE, most - found.length)),
        cursor,
      },
      signal,
    )
    found.push(...page.calls)
    cursor = page.cursor
  } while (cursor !== null && found.length < most)
  return found
}

function treeOf(call: AnsweredCall, below: readonly AnsweredCall[]): ComparedTree {
  const root = comparedOf(call)
  const byId = new Map([[call.id, root]])
  for (const each of below) if (each.id !== call.id) byId.set(each.id, comparedOf(each))
  for (const { facts } of byId.values()) {
    const node = byId.get(facts.id)
    // A call whose parent never arrived is no less part of the trace.
    const parent = byId.get(facts.parent_id ?? '') ?? root
    if (node !== undefined && node !== root) parent.children.push(node)
  }
  return { root, size: byId.size, isCut: below.length >= MOST_CALLS }
}

function comparedOf(call: AnsweredCall): ComparedCall {
  const facts = factsOf(call)
  return {
    key: shortOpName(call.op_name),
    facts,
    kind: kindByAttributes(call.attributes.text) ?? kindByName(facts.name),
    children: [],
  }
}
