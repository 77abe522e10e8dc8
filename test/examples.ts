import type { Client } from '../src/client/client.ts'
import type { InputOf, OperationName } from '../src/contract/operations.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import { v2Examples } from './v2-examples.ts'

/** What an example may need to exist before it is sent. */
export interface Ground {
  readonly client: Client
  readonly project_id: string
  /** The header of the client, with an API key. */
  readonly authorization: string
  /** Different at each call, for names that must be new. */
  readonly unique: () => string
}

export type Example<Name extends OperationName> = (ground: Ground) => InputOf<Name> | Promise<InputOf<Name>>

const raw = (value: unknown): RawJson => RawJson.of(value)
const time = '2026-07-29T12:00:00.123456Z'
const callRef = (project_id: string): string =>
  `weave:///${project_id}/call/0190c5b0-3f4e-7d3a-9b1c-000000000001`

function start({ project_id, unique }: Ground) {
  return {
    project_id,
    id: unique(),
    trace_id: unique(),
    parent_id: unique(),
    thread_id: 'thread-1',
    turn_id: 'turn-1',
    op_name: `weave:///${project_id}/op/answer:abc`,
    display_name: 'Answer',
    started_at: time,
    attributes: raw({ env: 'test' }),
    inputs: raw({ question: 'Why?' }),
    wb_user_id: 'someone',
    wb_run_id: 'run-1',
    wb_run_step: 1,
  }
}

function end(ground: Ground) {
  return {
    project_id: ground.project_id,
    id: ground.unique(),
    ended_at: time,
    exception: 'ValueError: no',
    output: raw({ answer: 42 }),
    summary: raw({ usage: {} }),
    wb_run_step_end: 2,
  }
}

function complete(ground: Ground) {
  return { ...start(ground), ...end(ground) }
}

function inPath(project_id: string): { entity: string; project: string } {
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project }
}

async function queueExample({ client, project_id }: Ground) {
  const { id } = await client.call('queue_create', { ...inPath(project_id), name: 'Refunds' })
  return { ...inPath(project_id), queue_id: id }
}

async function queueItemExample(ground: Ground) {
  const queue = await queueExample(ground)
  const call = complete(ground)
  await ground.client.call('calls_complete', { ...inPath(ground.project_id), batch: [call] })
  await ground.client.call('queue_items_add', { ...queue, call_ids: [call.id] })
  return { ...queue, call_id: call.id }
}

const callsQuery = ({ project_id }: Ground): InputOf<'calls_query'> => ({
  project_id,
  filter: { op_names: ['answer'], trace_ids: ['t'], call_ids: ['c'], parent_ids: ['p'], wb_user_ids: ['u'] },
  query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
  sort_by: [{ field: 'started_at', direction: 'desc' }],
  limit: 10,
  offset: 0,
  columns: ['id', 'inputs.question'],
  expand_columns: ['inputs.model'],
  include_storage_size: true,
  include_total_storage_size: true,
  include_usernames: true,
})

function feedback({ project_id }: Ground) {
  return {
    project_id,
    weave_ref: callRef(project_id),
    feedback_type: 'custom',
    payload: raw({ score: 1.5 }),
    creator: 'A person',
    annotation_ref: `weave:///${project_id}/object/quality:abc`,
    runnable_ref: `weave:///${project_id}/op/score:abc`,
    call_ref: callRef(project_id),
    trigger_ref: `weave:///${project_id}/object/trigger:abc`,
  }
}

async function object({
  client,
  project_id,
  unique,
}: Ground): Promise<{ object_id: string; digest: string }> {
  const object_id = `model-${unique()}`
  return client.call('obj_create', { obj: { project_id, object_id, val: raw({ n: unique() }) } })
}

async function table({
  client,
  project_id,
  unique,
}: Ground): Promise<{ digest: string; row_digests: string[] }> {
  return client.call('table_create', { table: { project_id, rows: [raw({ a: unique() }), raw({ a: 2 })] } })
}

function keyIn(authorization: string): string {
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().slice('api:'.length)
}

const byId = (id: string): RawJson => raw({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } })

/** One valid request for each operation, with as many fields as it has. A row of the table without one does not compile. */
export const examples: { readonly [Name in OperationName]: Example<Name> } = {
  server_info: () => ({}),
  read_version: () => ({}),
  health: () => ({}),
  session_create: ({ authorization }) => ({ api_key: keyIn(authorization) }),
  session_read: () => ({}),
  session_delete: () => ({}),
  keys_list: () => ({}),
  key_create: ({ unique }) => ({ name: unique() }),
  key_revoke: async ({ client, unique }) => {
    const { key_id } = await client.call('key_create', { name: unique() })
    return { key_id }
  },
  projects_list: () => ({}),
  members_list: ({ project_id }) => inPath(project_id),
  // Every test server has this user, who may everything anyway.
  member_set: ({ project_id }) => ({ ...inPath(project_id), username: 'admin', role: 'read' }),
  member_remove: async ({ client, project_id }) => {
    const member = { ...inPath(project_id), username: 'admin' }
    await client.call('member_set', { ...member, role: 'read' })
    return member
  },
  projects_info: ({ project_id }) => ({ project_ids: [project_id] }),
  project_stats: ({ project_id }) => ({ project_id, include_trace_storage_size: true }),
  obj_add_tags: async (ground) => ({
    project_id: ground.project_id,
    ...(await object(ground)),
    tags: ['reviewed'],
  }),
  obj_remove_tags: async (ground) => ({
    project_id: ground.project_id,
    ...(await object(ground)),
    tags: ['reviewed'],
  }),
  obj_set_aliases: async (ground) => ({
    project_id: ground.project_id,
    ...(await object(ground)),
    aliases: ['staging'],
  }),
  obj_remove_aliases: async (ground) => ({
    project_id: ground.project_id,
    object_id: (await object(ground)).object_id,
    aliases: ['staging'],
  }),
  tags_list: ({ project_id }) => ({ project_id }),
  aliases_list: ({ project_id }) => ({ project_id }),
  call_start: (ground) => ({ start: start(ground) }),
  call_end: (ground) => ({ end: end(ground) }),
  call_upsert_batch: (ground) => ({
    batch: [
      { mode: 'start', req: { start: start(ground) } },
      { mode: 'end', req: { end: end(ground) } },
    ],
  }),
  calls_complete: (ground) => ({ ...inPath(ground.project_id), batch: [complete(ground)] }),
  call_start_v2: (ground) => ({ ...inPath(ground.project_id), start: start(ground) }),
  call_end_v2: (ground) => ({ ...inPath(ground.project_id), end: end(ground) }),
  call_update: async (ground) => {
    const { id } = await ground.client.call('call_start', { start: start(ground) })
    return { project_id: ground.project_id, call_id: id, display_name: 'Renamed' }
  },
  calls_delete: ({ project_id, unique }) => ({ project_id, call_ids: [unique()] }),
  call_read: async (ground) => {
    const { id } = await ground.client.call('call_start', { start: start(ground) })
    return { project_id: ground.project_id, id, include_costs: true }
  },
  calls_query: callsQuery,
  calls_query_stream: callsQuery,
  calls_query_stats: ({ project_id }) => ({
    project_id,
    filter: {
      op_names: ['answer'],
      input_refs: ['r'],
      output_refs: ['r'],
      wb_run_ids: ['r'],
      trace_roots_only: true,
    },
    query: raw({ $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'x' }] } }),
  }),
  threads_query_stream: ({ project_id }) => ({
    project_id,
    filter: { after_datetime: '2026-01-01', before_datetime: '2027-01-01', thread_ids: ['thread-1'] },
    sort_by: [{ field: 'turn_count', direction: 'desc' }],
    limit: 10,
    offset: 0,
  }),
  calls_usage: ({ project_id }) => ({ project_id, call_ids: ['c'], include_costs: true, limit: 100 }),
  trace_usage: ({ project_id }) => ({
    project_id,
    filter: { trace_ids: ['t'] },
    query: raw({ $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'x' }] } }),
    include_costs: true,
    limit: 100,
  }),
  call_stats: ({ project_id }) => ({
    project_id,
    start: '2026-07-29',
    end: '2026-07-30',
    granularity: 3600,
    timezone: 'Europe/Berlin',
    usage_metrics: [
      { metric: 'input_tokens', aggregations: ['sum', 'avg'], percentiles: [95] },
      { metric: 'total_cost', aggregations: ['sum'] },
    ],
    call_metrics: [{ metric: 'latency_ms', aggregations: ['max'], percentiles: [50, 99.9] }],
    filter: { op_names: ['answer'], trace_roots_only: true },
  }),
  feedback_stats: ({ project_id }) => ({
    project_id,
    start: '2026-07-29',
    end: '2026-07-30',
    feedback_type: 'custom',
    trigger_ref: `weave:///${project_id}/object/trigger:*`,
    granularity: 3600,
    timezone: 'UTC',
    metrics: [{ json_path: 'score', value_type: 'numeric', aggregations: ['avg'], percentiles: [5] }],
  }),
  feedback_aggregate: ({ project_id }) => ({
    project_id,
    after_ms: 0,
    before_ms: 2_000_000_000_000,
    time_bucket_seconds: 3600,
    feedback_types: ['wandb.runnable.'],
    tags: ['good'],
    rating_min: 0,
    rating_max: 1,
    monitor_ids: ['mon*'],
    scorer_ids: ['score'],
    span_agent_names: ['agent'],
    span_types: ['agent_turn'],
    group_by: ['scorer_id'],
  }),
  feedback_payload_schema: ({ project_id }) => ({
    project_id,
    start: '2026-07-29',
    end: '2026-07-30',
    feedback_type: 'custom',
    trigger_ref: `weave:///${project_id}/object/trigger:abc`,
    sample_limit: 10,
  }),
  obj_create: ({ project_id, unique }) => ({
    obj: {
      project_id,
      object_id: `model-${unique()}`,
      val: raw({ temperature: 0.7 }),
      builtin_object_class: null,
    },
  }),
  obj_read: async (ground) => ({
    project_id: ground.project_id,
    ...(await object(ground)),
    metadata_only: false,
  }),
  objs_query: ({ project_id }) => ({
    project_id,
    filter: { object_ids: ['model'], base_object_classes: ['Model'], latest_only: true, is_op: false },
    limit: 10,
    offset: 0,
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    metadata_only: true,
  }),
  obj_delete: async (ground) => {
    const { object_id, digest } = await object(ground)
    return { project_id: ground.project_id, object_id, digests: [digest] }
  },
  table_create: ({ project_id, unique }) => ({
    table: { project_id, rows: [raw({ a: 1 }), raw({ a: unique() })] },
  }),
  table_create_from_digests: async (ground) => ({
    project_id: ground.project_id,
    row_digests: (await table(ground)).row_digests,
  }),
  table_update: async (ground) => ({
    project_id: ground.project_id,
    base_digest: (await table(ground)).digest,
    updates: [
      { append: { row: raw({ a: 3 }) } },
      { pop: { index: 0 } },
      { insert: { index: 0, row: raw({ a: 0 }) } },
    ],
  }),
  table_query: async (ground) => {
    const { digest, row_digests } = await table(ground)
    return {
      project_id: ground.project_id,
      digest,
      filter: { row_digests },
      limit: 10,
      offset: 0,
      sort_by: [{ field: 'a', order: 'asc' }],
    }
  },
  table_query_stats: async (ground) => ({
    project_id: ground.project_id,
    digest: (await table(ground)).digest,
  }),
  table_query_stats_batch: async (ground) => ({
    project_id: ground.project_id,
    digests: [(await table(ground)).digest],
    include_storage_size: true,
  }),
  files_stats: ({ project_id }) => ({ project_id }),
  file_create: ({ project_id }) => ({ project_id, file: Buffer.from('bytes of a file') }),
  file_content: async ({ client, project_id }) => ({
    project_id,
    digest: (await client.call('file_create', { project_id, file: Buffer.from('bytes of a file') })).digest,
  }),
  refs_read_batch: async (ground) => {
    const { object_id, digest } = await object(ground)
    return { refs: [`weave:///${ground.project_id}/object/${object_id}:${digest}`] }
  },
  feedback_create: (ground) => ({ ...feedback(ground), id: ground.unique() }),
  feedback_create_batch: (ground) => ({ batch: [{ ...feedback(ground), id: ground.unique() }] }),
  feedback_replace: (ground) => ({ ...feedback(ground), feedback_id: ground.unique() }),
  feedback_query: ({ project_id }) => ({
    project_id,
    fields: ['id', 'feedback_type', 'payload.score'],
    query: raw({ $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'custom' }] } }),
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: 10,
    offset: 0,
  }),
  feedback_purge: async (ground) => {
    const { id } = await ground.client.call('feedback_create', { ...feedback(ground), id: ground.unique() })
    return { project_id: ground.project_id, query: byId(id) }
  },
  cost_create: ({ project_id }) => ({
    project_id,
    costs: {
      'my-model': {
        prompt_token_cost: raw(0.001),
        completion_token_cost: raw(0.002),
        prompt_token_cost_unit: 'USD',
        effective_date: time,
        provider_id: 'mine',
      },
    },
  }),
  cost_query: ({ project_id }) => ({
    project_id,
    fields: ['id', 'llm_id'],
    query: raw({ $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'my-model' }] } }),
    sort_by: [{ field: 'effective_date', direction: 'desc' }],
    limit: 10,
    offset: 0,
  }),
  cost_purge: async (ground) => {
    const { project_id } = ground
    const costs = { 'gone-model': { prompt_token_cost: raw(1), completion_token_cost: raw(2) } }
    const { ids } = await ground.client.call('cost_create', { project_id, costs })
    return { project_id, query: byId(ids[0]?.[0] ?? '') }
  },
  project_live: ({ project_id }) => ({
    ...inPath(project_id),
    kinds: ['start', 'end'],
    trace_id: 't',
    op_name: 'answer',
    follow: false,
  }),
  project_export: ({ project_id }) => ({
    ...inPath(project_id),
    what: 'calls',
    format: 'jsonl',
    filter: JSON.stringify({ op_names: ['answer'], trace_ids: ['t'], call_ids: ['c'] }),
    query: JSON.stringify({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
    columns: ['id', 'inputs'],
    after: `${time},a-call`,
    limit: 10,
  }),
  project_export_count: ({ project_id }) => ({
    ...inPath(project_id),
    what: 'tables',
    filter: JSON.stringify({ digests: ['d'] }),
    after: 'a-digest,7',
  }),
  project_calls: ({ project_id }) => ({
    ...inPath(project_id),
    filter: { op_names: ['answer'] },
    query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
    direction: 'desc',
    after: '2020-01-01T00:00:00Z',
    before: '2050-01-01T00:00:00Z',
    columns: ['inputs'],
    preview_characters: 100,
    limit: 10,
    cursor: '2524608000000000.a-call',
  }),
  project_search: ({ project_id }) => ({
    ...inPath(project_id),
    text: 'Why',
    fields: ['inputs', 'note'],
    filter: { op_names: ['answer'] },
    query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
    after: '2020-01-01T00:00:00Z',
    before: '2050-01-01T00:00:00Z',
    limit: 10,
    cursor: '2524608000000000.a-call',
  }),
  project_sql: ({ project_id }) => ({
    ...inPath(project_id),
    query:
      'SELECT name, count() AS calls FROM calls WHERE started_at > {since:DateTime} GROUP BY name ORDER BY calls DESC, name',
    parameters: raw({ since: '2020-01-01 00:00:00' }),
    limit: 100,
  }),
  project_metrics: ({ project_id }) => ({
    ...inPath(project_id),
    start: '2026-07-01T00:00:00Z',
    end: '2026-08-01T00:00:00Z',
    bucket: 'day',
    timezone: 'Europe/Berlin',
    filter: { trace_roots_only: true },
    query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
    group_by: ['op', 'model', 'attributes.env'],
    measures: ['count', 'errors', 'p95_latency_ms', 'total_tokens', 'cost'],
    top: 5,
    rank_by: 'cost',
  }),
  project_costs: ({ project_id }) => ({
    ...inPath(project_id),
    start: '2026-07-01T00:00:00Z',
    end: '2026-08-01T00:00:00Z',
    filter: { trace_roots_only: true },
    query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
  }),
  call_cost: async (ground) => {
    const call = complete(ground)
    await ground.client.call('calls_complete', { ...inPath(ground.project_id), batch: [call] })
    return { ...inPath(ground.project_id), call_id: call.id }
  },
  project_demo: ({ project_id }) => inPath(project_id),
  queues_list: ({ project_id }) => inPath(project_id),
  queue_create: ({ project_id }) => ({
    ...inPath(project_id),
    name: 'Refunds',
    description: 'Was the answer right?',
    scores: ['correct'],
  }),
  queue_read: queueExample,
  queue_update: async (ground) => ({ ...(await queueExample(ground)), name: 'Returns' }),
  queue_delete: queueExample,
  queue_items_add: async (ground) => {
    const { call_id, ...queue } = await queueItemExample(ground)
    return { ...queue, call_ids: [call_id] }
  },
  queue_items_list: queueExample,
  queue_item_remove: queueItemExample,
  queue_next: async (ground) => {
    const { call_id, ...queue } = await queueItemExample(ground)
    return { ...queue, behind: call_id, include_skipped: true }
  },
  queue_item_claim: queueItemExample,
  queue_item_release: queueItemExample,
  queue_item_set_state: async (ground) => ({ ...(await queueItemExample(ground)), state: 'done' }),
  ...v2Examples,
}

/** One example of each operation, for requests that are refused, or may be: what it needs is made once. */
export class KeptExamples {
  readonly #ground: () => Ground
  readonly #made = new Map<OperationName, Promise<object>>()

  constructor(ground: () => Ground) {
    this.#ground = ground
  }

  async of(name: OperationName): Promise<object> {
    const made = this.#made.get(name) ?? Promise.resolve<object>(examples[name](this.#ground()))
    this.#made.set(name, made)
    return made
  }
}
