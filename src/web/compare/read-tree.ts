import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type ApiCall, toCallListItem } from '../call/call-list-item.ts'
import { kindFromAttributes, kindFromName } from '../call/call-kind.ts'
import { shortOpName } from '../call/op-name.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { type ComparedCall, type ComparedTree, PREVIEW_CHARACTERS } from './compared-call.ts'

/** Maximum calls of one trace that are compared. */
const MAX_CALLS = 10_000
const PAGE_SIZE = 1000
const PARENTS_PER_REQUEST = 500

/** Reads a call and all of its descendants. */
export async function readTree(project: Project, callId: string, signal: AbortSignal): Promise<ComparedTree> {
  const [call] = await readCalls(project, { call_ids: [callId] }, 1, signal)
  if (call === undefined) throw new ApiError('not_found', `call ${callId} not found in ${project.project_id}`)
  const descendants =
    call.parent_id === null
      ? await readCalls(project, { trace_ids: [call.trace_id] }, MAX_CALLS, signal)
      : await readDescendants(project, callId, signal)
  return buildTree(call, descendants)
}

/** Reads level by level: the trace around an inner call may be much larger than its subtree. */
async function readDescendants(project: Project, callId: string, signal: AbortSignal): Promise<ApiCall[]> {
  const found: ApiCall[] = []
  for (let parents = [callId]; parents.length > 0 && found.length < MAX_CALLS;) {
    const next: string[] = []
    for (let from = 0; from < parents.length; from += PARENTS_PER_REQUEST) {
      const parent_ids = parents.slice(from, from + PARENTS_PER_REQUEST)
      for (const call of await readCalls(project, { parent_ids }, MAX_CALLS - found.length, signal)) {
        found.push(call)
        next.push(call.id)
      }
    }
    parents = next
  }
  return found
}

async function readCalls(
  project: Project,
  filter: { call_ids?: string[]; trace_ids?: string[]; parent_ids?: string[] },
  limit: number,
  signal: AbortSignal,
): Promise<ApiCall[]> {
  const found: ApiCall[] = []
  let cursor: string | null = null
  do {
    const page: { readonly calls: readonly ApiCall[]; readonly cursor: string | null } = await api.call(
      'project_calls',
      {
        ...projectParams(project),
        filter,
        direction: 'asc',
        columns: [...CALL_LIST_COLUMNS, 'attributes.kind'],
        include_costs: true,
        include_usernames: true,
        preview_characters: PREVIEW_CHARACTERS,
        limit: Math.max(1, Math.min(PAGE_SIZE, limit - found.length)),
        cursor,
      },
      signal,
    )
    found.push(...page.calls)
    cursor = page.cursor
  } while (cursor !== null && found.length < limit)
  return found
}

function buildTree(call: ApiCall, descendants: readonly ApiCall[]): ComparedTree {
  const root = toComparedCall(call)
  const byId = new Map([[call.id, root]])
  for (const each of descendants) if (each.id !== call.id) byId.set(each.id, toComparedCall(each))
  for (const { item } of byId.values()) {
    const node = byId.get(item.id)
    // A call whose parent was never received is attached to the root.
    const parent = byId.get(item.parent_id ?? '') ?? root
    if (node !== undefined && node !== root) parent.children.push(node)
  }
  return { root, size: byId.size, isTruncated: descendants.length >= MAX_CALLS }
}

function toComparedCall(call: ApiCall): ComparedCall {
  const item = toCallListItem(call)
  return {
    key: shortOpName(call.op_name),
    item,
    kind: kindFromAttributes(call.attributes.text) ?? kindFromName(item.name),
    children: [],
  }
}
