import { encodeRequest } from '../src/client/encode.ts'
import type { OperationName } from '../src/contract/operations.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import { formatTime } from '../src/core/time/time.ts'
import type { TestResponse, TestServer } from './harness.ts'
import { operationOf } from './operations.ts'
import type { Path } from './positions.ts'

/**
 * Projects that must not see each other's data. Every secret of a project contains its canary string: in every kind
 * of record, under names that the other project uses too.
 */
export interface Tenant {
  readonly project_id: string
  readonly canary: string
  readonly authorization: string
}

/** What an outsider may know of a project: names and digests, no content. */
export type KnownIds = Readonly<Record<KnownIdName, string>>

type KnownIdName =
  | 'project'
  | 'call'
  | 'trace'
  | 'object'
  | 'digest'
  | 'same'
  | 'only'
  | 'ref'
  | 'onlyRef'
  | 'callRef'
  | 'tableRef'
  | 'table'
  | 'row'
  | 'file'
  | 'feedback'
  | 'cost'

export type Json = Record<string, unknown>

/** Sends a request of the contract with the given credentials. */
export async function deliver(
  server: TestServer,
  authorization: string,
  name: OperationName,
  request: object,
): Promise<TestResponse & { readonly path: string }> {
  const { method, path, headers, body } = encodeRequest(operationOf(name), request)
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  const response = await server.as(authorization)(path, undefined, init)
  return Object.assign(response, { path })
}

/** Writes one record of every kind. */
export async function fill(server: TestServer, tenant: Tenant): Promise<KnownIds> {
  const { project_id, canary, authorization } = tenant
  const write = async <T = Json>(path: string, body: unknown): Promise<T> => {
    const response = await server.as(authorization)(path, body)
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`)
    return JSON.parse(response.text) as T
  }
  const publish = async (object_id: string, val: unknown): Promise<string> =>
    (await write<{ digest: string }>('/obj/create', { obj: { project_id, object_id, val } })).digest
  const upload = async (text: string): Promise<string> => {
    const stored = await deliver(server, authorization, 'file_create', {
      project_id,
      file: Buffer.from(text),
    })
    return stored.json['digest'] as string
  }
  const secret = { secret: `a ${canary} sings` }
  const digest = await publish('shared', { ...secret, field_schema: { type: 'string', enum: [canary] } })
  const same = await publish('same', { equal: 1 })
  const object = `only-in-${project_id.split('/')[0]}`
  const only = await publish(object, secret)
  const created_at = formatTime(server.heddle.deps.now())
  await server.heddle.deps.db.insert('object_labels', [
    { project_id, object_id: 'shared', kind: 'alias', label: 'prod', tagged_digest: '', digest, created_at },
  ])
  const table = await write<{ digest: string; row_digests: string[] }>('/table/create', {
    table: { project_id, rows: [secret, { equal: 1 }] },
  })
  await write('/table/create', { table: { project_id, rows: [{ equal: 1 }, { equal: 2 }] } })
  const file = await upload(`bytes of a ${canary}`)
  await upload('equal bytes')
  const ref = `weave:///${project_id}/object/shared:${digest}`
  await fillCalls(write, tenant, { ...secret, model: ref })
  const callRef = `weave:///${project_id}/call/shared-call`
  const source = { source_kind: 'call', source_id: 'shared-call', source_trace_id: 'shared-trace' }
  await write('/dataset_sources/link', {
    project_id,
    dataset_object_id: 'shared',
    dataset_digest: digest,
    links: [{ row_digest: table.row_digests[0], sources: [source], link_metadata: secret }],
  })
  const note = { project_id, weave_ref: callRef, feedback_type: 'wandb.note.1', payload: { note: canary } }
  await write('/feedback/create', { ...note, id: 'shared-feedback', creator: canary })
  await write('/feedback/create', { ...note, id: 'replaced' })
  await write('/feedback/replace', { ...note, feedback_id: 'replaced', creator: canary })
  const price = {
    prompt_token_cost: 7,
    completion_token_cost: 7,
    provider_id: canary,
    effective_date: '2026-01-01',
  }
  const { ids } = await write<{ ids: [string, string][] }>('/cost/create', {
    project_id,
    costs: { [canary]: price },
  })
  return {
    project: project_id,
    call: 'shared-call',
    trace: 'shared-trace',
    object,
    digest,
    same,
    only,
    ref,
    onlyRef: `weave:///${project_id}/object/${object}:${only}`,
    callRef,
    tableRef: `weave:///${project_id}/table/${table.digest}`,
    table: table.digest,
    row: table.row_digests[0]!,
    file,
    feedback: 'shared-feedback',
    cost: ids[0]![0],
  }
}

type Write = (path: string, body: unknown) => Promise<Json>

async function fillCalls(write: Write, { project_id, canary }: Tenant, secret: Json): Promise<void> {
  const call = {
    project_id,
    id: 'shared-call',
    trace_id: 'shared-trace',
    op_name: canary,
    display_name: canary,
    thread_id: canary,
    turn_id: canary,
    started_at: '2026-11-01T00:00:00Z',
    attributes: secret,
    inputs: secret,
    wb_run_id: `${canary}-run`,
  }
  const ended = {
    ended_at: '2026-11-01T00:00:01Z',
    output: secret,
    exception: canary,
    summary: { ...secret, usage: { [canary]: { prompt_tokens: 7 } } },
  }
  await write('/call/start', { start: call })
  await write('/call/end', { end: { project_id, id: call.id, ...ended } })
  await write(`/v2/${project_id}/calls/complete`, {
    batch: [{ ...call, ...ended, id: 'shared-child', parent_id: call.id }],
  })
  // Stored without a start: not visible to readers yet.
  await write('/call/end', { end: { project_id, id: 'orphan', ...ended } })
  await write('/call/update', { project_id, call_id: 'unborn', display_name: canary })
}

/** Everything that can be read of a project, as response text. */
export async function readAll(
  server: TestServer,
  authorization: string,
  known: KnownIds,
): Promise<Map<string, string>> {
  const project_id = known.project
  const include = { include_costs: true, include_feedback: true, expand_columns: ['inputs.model'] }
  const reads: [string, Json][] = [
    ['/calls/stream_query', { project_id, ...include }],
    ['/calls/query_stats', { project_id }],
    ['/call/read', { project_id, id: known.call }],
    ['/objs/query', { project_id, include_tags_and_aliases: true, include_storage_size: true }],
    ['/obj/read', { project_id, object_id: 'shared', digest: 'prod' }],
    ['/table/query', { project_id, digest: known.table }],
    ['/file/content', { project_id, digest: known.file }],
    ['/refs/read_batch', { refs: [known.ref, known.onlyRef] }],
    ['/dataset_sources/query', { project_id, dataset_object_id: 'shared' }],
    ['/feedback/query', { project_id }],
    ['/cost/query', { project_id }],
  ]
  const found = new Map<string, string>()
  for (const [path, body] of reads) {
    const { status, text } = await server.as(authorization)(path, body)
    found.set(path, `${status} ${text}`)
  }
  return found
}

/** The positions of all strings in a request, except inside payloads. */
export function textsIn(value: unknown, path: Path = []): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  if (value instanceof RawJson || Buffer.isBuffer(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    textsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
