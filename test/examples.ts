import type { Client } from '../src/client/client.ts'
import type { InputOf, OperationName } from '../src/contract/operations.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import { apiKeyIn } from './harness.ts'
import { projectPath } from './project-path.ts'
import { evaluationExamples } from './evaluation-examples.ts'
import { v2Examples } from './v2-examples.ts'

/** What an example request may use to create the records it refers to. */
export interface ExampleContext {
  readonly client: Client
  readonly project_id: string
  /** The client's Authorization header; it carries an API key. */
  readonly authorization: string
  /** Returns a different string on each call, for names that must be new. */
  readonly unique: () => string
}

export type Example<Name extends OperationName> = (
  context: ExampleContext,
) => InputOf<Name> | Promise<InputOf<Name>>

const raw = (value: unknown): RawJson => RawJson.fromValue(value)
const time = '2026-07-29T12:00:00.123456Z'
const callRef = (project_id: string): string =>
  `weave:///${project_id}/call/0190c5b0-3f4e-7d3a-9b1c-000000000001`

function start({ project_id, unique }: ExampleContext) {
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

function end(context: ExampleContext) {
  return {
    project_id: context.project_id,
    id: context.unique(),
    ended_at: time,
    exception: 'ValueError: no',
    output: raw({ answer: 42 }),
    summary: raw({ usage: {} }),
    wb_run_step_end: 2,
  }
}

function complete(context: ExampleContext) {
  return { ...start(context), ...end(context) }
}

const secretExample = { name: 'EXAMPLE_KEY', value: 'sk-example', origins: ['https://api.openai.com'] }

/** No provider is configured, so the response is an error. */
const completion = ({ project_id, unique }: ExampleContext) => ({
  project_id,
  inputs: raw({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Why?' }] }),
  track_llm_call: true,
  trace_id: unique(),
  parent_id: unique(),
  conversation_id: 'thread-1',
  conversation_name: 'Thread',
  source: 'test',
  wb_user_id: null,
})

async function newUser({ client, unique }: ExampleContext): Promise<string> {
  return (await client.call('user_create', { username: `user-${unique()}` })).username
}

async function queueExample({ client, project_id }: ExampleContext) {
  const { id } = await client.call('queue_create', { ...projectPath(project_id), name: 'Refunds' })
  return { ...projectPath(project_id), queue_id: id }
}

async function queueItemExample(context: ExampleContext) {
  const queue = await queueExample(context)
  const call = complete(context)
  await context.client.call('calls_complete', { ...projectPath(context.project_id), batch: [call] })
  await context.client.call('queue_items_add', { ...queue, call_ids: [call.id] })
  return { ...queue, call_id: call.id }
}

/** A queue and an item of it, as Weave's API names them. */
async function annotationItemExample(context: ExampleContext) {
  const { queue_id, call_id } = await queueItemExample(context)
  return { project_id: context.project_id, queue_id, call_id }
}

async function datasetSourceExample(context: ExampleContext) {
  const { client, project_id } = context
  const call = complete(context)
  await client.call('calls_complete', { ...projectPath(project_id), batch: [call] })
  const source = { source_kind: 'call' as const, source_id: call.id, source_trace_id: call.trace_id }
  const request = {
    project_id,
    dataset_object_id: 'questions',
    dataset_digest: 'abc',
    links: [{ row_digest: context.unique(), sources: [source], link_metadata: raw({ note: 'good' }) }],
    include_created_status: true,
    wb_user_id: 'someone',
  }
  return { source, request }
}

async function datasetLinkExample(context: ExampleContext) {
  const { source, request } = await datasetSourceExample(context)
  const { entries } = await context.client.call('dataset_sources_link', request)
  return { source, row_digest: request.links[0]!.row_digest, link_id: entries[0]!.link_id }
}

async function annotationQueueExample(context: ExampleContext) {
  const { queue_id } = await queueExample(context)
  return { project_id: context.project_id, queue_id }
}

const scorerRef = (project_id: string): string => `weave:///${project_id}/object/correct:abc`

const callsQuery = ({ project_id }: ExampleContext): InputOf<'calls_query'> => ({
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

function feedback({ project_id }: ExampleContext) {
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
}: ExampleContext): Promise<{ object_id: string; digest: string }> {
  const object_id = `model-${unique()}`
  return client.call('obj_create', { obj: { project_id, object_id, val: raw({ n: unique() }) } })
}

async function table({
  client,
  project_id,
  unique,
}: ExampleContext): Promise<{ digest: string; row_digests: string[] }> {
  return client.call('table_create', { table: { project_id, rows: [raw({ a: unique() }), raw({ a: 2 })] } })
}

const byId = (id: string): RawJson => raw({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } })

const SPAN = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'chat',
  startTimeUnixNano: '1785326400000000000',
  endTimeUnixNano: '1785326401000000000',
}

function otlpExample(project_id: string, document: object): InputOf<'otlp_traces'> {
  return { content_type: 'application/json', project_id, body: Buffer.from(JSON.stringify(document)) }
}

const retentionExample = {
  calls_max_age_seconds: 3_650 * 86_400,
  calls_max_bytes: 10 ** 15,
  payloads_max_age_seconds: 3_600 * 86_400,
  payloads_max_bytes: 10 ** 14,
  keep_tags: ['golden'],
}

/** One valid request per operation, with every field set. An operation without an example does not compile. */
export const examples: { readonly [Name in OperationName]: Example<Name> } = {
  server_info: () => ({}),
  otlp_traces: ({ project_id }) =>
    otlpExample(project_id, { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }),
  otlp_logs: ({ project_id }) =>
    otlpExample(project_id, {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  ...SPAN,
                  eventName: 'gen_ai.user.message',
                  body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Why?' } }] } },
                },
              ],
            },
          ],
        },
      ],
    }),
  otlp_metrics: ({ project_id }) =>
    otlpExample(project_id, {
      resourceMetrics: [
        { scopeMetrics: [{ metrics: [{ name: 'tokens', sum: { dataPoints: [{ asInt: '1' }] } }] }] },
      ],
    }),
  langfuse_projects: () => ({}),
  langfuse_scores: ({ project_id }) => ({
    content_type: 'application/json',
    project_id,
    body: Buffer.from(
      JSON.stringify([{ traceId: SPAN.traceId, observationId: SPAN.spanId, name: 'quality', value: 0.5 }]),
    ),
  }),
  call_explain: async ({ client, project_id }) => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }
    await client.call('otlp_traces', otlpExample(project_id, spans))
    return { ...projectPath(project_id), call_id: SPAN.traceId.slice(-16) + SPAN.spanId }
  },
  calls_remap: ({ project_id }) => ({ ...projectPath(project_id), cursor: '0.a', limit: 10 }),
  read_version: () => ({}),
  health: () => ({}),
  session_create: ({ authorization }) => ({ api_key: apiKeyIn(authorization) }),
  session_read: () => ({}),
  session_delete: () => ({}),
  keys_list: () => ({}),
  secrets_list: ({ project_id }) => projectPath(project_id),
  secret_set: ({ project_id }) => ({ ...projectPath(project_id), ...secretExample }),
  secret_delete: async ({ client, project_id }) => {
    const { name } = secretExample
    await client.call('secret_set', { ...projectPath(project_id), ...secretExample })
    return { ...projectPath(project_id), name }
  },
  completions_create: completion,
  completions_create_stream: completion,
  runtime_apply: ({ project_id }) => ({
    ...projectPath(project_id),
    runtime_name: 'ours',
    base_url: 'https://models.example.com/v1',
    api_key_secret: 'OURS_KEY',
    headers: { 'x-team': 'a' },
    runtime_ids: [{ id: 'llama3', max_tokens: 4096 }],
  }),
  model_budget_read: ({ project_id }) => projectPath(project_id),
  model_budget_update: ({ project_id }) => ({ ...projectPath(project_id), dollars_per_day: 2.5 }),
  key_create: ({ unique }) => ({ name: unique() }),
  key_revoke: async ({ client, unique }) => {
    const { key_id } = await client.call('key_create', { name: unique() })
    return { key_id }
  },
  // The user of the tests has no password at first; then it is this one.
  password_change: () => ({ current_password: 'a-long-password', new_password: 'a-long-password' }),
  sessions_end: () => ({}),
  users_list: () => ({}),
  user_create: ({ unique }) => ({ username: `user-${unique()}`, is_server_admin: false, adopt: true }),
  user_reset_password: async (context) => ({ username: await newUser(context) }),
  user_set_state: async (context) => ({ username: await newUser(context), is_disabled: true }),
  queue_results: async (context) => ({ ...(await queueExample(context)), format: 'csv' }),
  queue_agreement: queueExample,
  table_export: async (context) => ({
    ...projectPath(context.project_id),
    digest: (await table(context)).digest,
    format: 'csv',
    name: 'rows',
  }),
  projects_list: () => ({}),
  project_update: async ({ client, project_id }) => {
    await client.call('call_start', { start: { project_id, op_name: 'op' } })
    return { ...projectPath(project_id), display_name: 'Support bot' }
  },
  // A project of its own: a project that is being deleted refuses other requests.
  project_delete: async ({ client, unique }) => {
    const { username } = await client.call('session_read', {})
    const project_id = `${username}/${unique()}`
    await client.call('call_start', { start: { project_id, op_name: 'op' } })
    return projectPath(project_id)
  },
  members_list: ({ project_id }) => projectPath(project_id),
  // Every test server has this user, and it already has every right.
  member_set: ({ project_id }) => ({ ...projectPath(project_id), username: 'admin', role: 'read' }),
  member_remove: async ({ client, project_id }) => {
    const member = { ...projectPath(project_id), username: 'admin' }
    await client.call('member_set', { ...member, role: 'read' })
    return member
  },
  retention_read: ({ project_id }) => projectPath(project_id),
  // So long that it deletes nothing.
  ttl_settings_read: ({ project_id }) => ({ project_id }),
  ttl_settings_update: ({ project_id }) => ({ project_id, retention_days: 30, wb_user_id: null }),
  retention_update: ({ project_id }) => ({ ...projectPath(project_id), ...retentionExample }),
  retention_preview: ({ project_id }) => ({ ...projectPath(project_id), ...retentionExample }),
  projects_info: ({ project_id }) => ({ project_ids: [project_id] }),
  project_stats: ({ project_id }) => ({ project_id, include_trace_storage_size: true }),
  obj_add_tags: async (context) => ({
    project_id: context.project_id,
    ...(await object(context)),
    tags: ['reviewed'],
  }),
  obj_remove_tags: async (context) => ({
    project_id: context.project_id,
    ...(await object(context)),
    tags: ['reviewed'],
  }),
  obj_set_aliases: async (context) => ({
    project_id: context.project_id,
    ...(await object(context)),
    aliases: ['staging'],
  }),
  obj_remove_aliases: async (context) => ({
    project_id: context.project_id,
    object_id: (await object(context)).object_id,
    aliases: ['staging'],
  }),
  tags_list: ({ project_id }) => ({ project_id }),
  aliases_list: ({ project_id }) => ({ project_id }),
  call_start: (context) => ({ start: start(context) }),
  call_end: (context) => ({ end: end(context) }),
  call_upsert_batch: (context) => ({
    batch: [
      { mode: 'start', req: { start: start(context) } },
      { mode: 'end', req: { end: end(context) } },
    ],
  }),
  calls_complete: (context) => ({ ...projectPath(context.project_id), batch: [complete(context)] }),
  call_start_v2: (context) => ({ ...projectPath(context.project_id), start: start(context) }),
  call_end_v2: (context) => ({ ...projectPath(context.project_id), end: end(context) }),
  call_update: async (context) => {
    const { id } = await context.client.call('call_start', { start: start(context) })
    return { project_id: context.project_id, call_id: id, display_name: 'Renamed' }
  },
  calls_delete: ({ project_id, unique }) => ({ project_id, call_ids: [unique()] }),
  call_read: async (context) => {
    const { id } = await context.client.call('call_start', { start: start(context) })
    return { project_id: context.project_id, id, include_costs: true }
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
  agents_query: ({ project_id }) => ({
    project_id,
    filters: { agent_name: 'bot' },
    sort_by: [{ field: 'span_count', direction: 'asc' }],
    limit: 10,
    offset: 0,
    include_costs: false,
  }),
  agent_versions_query: ({ project_id }) => ({
    project_id,
    agent_name: 'bot',
    sort_by: [{ field: 'last_seen' }],
    limit: 10,
  }),
  agent_traces_chat: async ({ client, project_id }) => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }
    await client.call('otlp_traces', otlpExample(project_id, spans))
    return { project_id, trace_id: SPAN.traceId, include_feedback: true, include_model_tool_calls: false }
  },
  agent_conversations_chat: ({ project_id }) => ({
    project_id,
    conversation_id: 'thread-1',
    limit: 10,
    offset: 0,
    include_feedback: true,
    include_model_tool_calls: false,
  }),
  agent_spans_stats: ({ project_id }) => ({
    project_id,
    query: raw({ $expr: { $eq: [{ $getField: 'agent_name' }, { $literal: 'bot' }] } }),
    start: '2026-07-29',
    end: '2026-07-30',
    granularity: 3600,
    timezone: 'Europe/Berlin',
    group_by: [{ source: 'field', key: 'agent_name', alias: 'agent' }],
    metrics: [
      {
        alias: 'tokens',
        value: { source: 'field', key: 'input_tokens' },
        value_type: 'number',
        aggregations: ['sum'],
        percentiles: [95],
      },
    ],
    group_limit: 10,
    bucket_by: { type: 'time' },
  }),
  agent_spans_query: async ({ client, project_id }) => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }
    await client.call('otlp_traces', otlpExample(project_id, spans))
    return {
      project_id,
      query: raw({ $expr: { $gt: [{ $getField: 'span_name' }, { $literal: '' }] } }),
      started_after: '2000-01-01',
      started_before: '2200-01-01',
      include_details: true,
      sort_by: [{ field: 'agent_name', direction: 'asc' }],
      limit: 10,
      offset: 0,
    }
  },
  agent_custom_attrs_schema: async ({ client, project_id }) => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }
    await client.call('otlp_traces', otlpExample(project_id, spans))
    return {
      project_id,
      query: raw({ $expr: { $gt: [{ $getField: 'span_name' }, { $literal: '' }] } }),
      started_after: '2000-01-01',
      started_before: '2200-01-01',
      limit: 10,
      offset: 0,
    }
  },
  agent_conversations_spans: ({ project_id }) => ({
    project_id,
    conversation_ids: ['thread-1', 'thread-2'],
    started_after: '2000-01-01',
    started_before: '2200-01-01',
  }),
  agent_search: async ({ client, project_id }) => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }
    await client.call('otlp_traces', otlpExample(project_id, spans))
    return {
      project_id,
      query: 'why',
      trace_id: SPAN.traceId,
      roles: ['user', 'tool'],
      conversation_id: 'thread-1',
      agent_name: 'bot',
      provider_name: 'openai',
      request_model: 'gpt-4o',
      truncate_content: true,
      started_after: '2000-01-01',
      started_before: '2200-01-01',
      limit: 10,
      offset: 0,
    }
  },
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
  obj_read: async (context) => ({
    project_id: context.project_id,
    ...(await object(context)),
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
  obj_delete: async (context) => {
    const { object_id, digest } = await object(context)
    return { project_id: context.project_id, object_id, digests: [digest] }
  },
  table_create: ({ project_id, unique }) => ({
    table: { project_id, rows: [raw({ a: 1 }), raw({ a: unique() })] },
  }),
  table_create_from_digests: async (context) => ({
    project_id: context.project_id,
    row_digests: (await table(context)).row_digests,
  }),
  table_update: async (context) => ({
    project_id: context.project_id,
    base_digest: (await table(context)).digest,
    updates: [
      { append: { row: raw({ a: 3 }) } },
      { pop: { index: 0 } },
      { insert: { index: 0, row: raw({ a: 0 }) } },
    ],
  }),
  table_query: async (context) => {
    const { digest, row_digests } = await table(context)
    return {
      project_id: context.project_id,
      digest,
      filter: { row_digests },
      limit: 10,
      offset: 0,
      sort_by: [{ field: 'a', order: 'asc' }],
    }
  },
  table_query_stats: async (context) => ({
    project_id: context.project_id,
    digest: (await table(context)).digest,
  }),
  table_query_stats_batch: async (context) => ({
    project_id: context.project_id,
    digests: [(await table(context)).digest],
    include_storage_size: true,
  }),
  dataset_sources_link: async (context) => (await datasetSourceExample(context)).request,
  dataset_sources_link_delete: async (context) => ({
    project_id: context.project_id,
    link_ids: [(await datasetLinkExample(context)).link_id],
    wb_user_id: 'someone',
  }),
  dataset_sources_query: async (context) => ({
    project_id: context.project_id,
    dataset_object_id: 'questions',
    row_digests: [(await datasetLinkExample(context)).row_digest],
    source_kinds: ['call'],
    include_deleted: true,
    limit: 10,
    offset: 0,
    wb_user_id: 'someone',
  }),
  source_datasets_query: async (context) => ({
    project_id: context.project_id,
    sources: [(await datasetLinkExample(context)).source],
    include_deleted: true,
    wb_user_id: 'someone',
  }),
  files_stats: ({ project_id }) => ({ project_id }),
  files_resolve_url: ({ project_id }) => ({ project_id, uris: [] }),
  file_create: ({ project_id }) => ({ project_id, file: Buffer.from('bytes of a file') }),
  file_content: async ({ client, project_id }) => ({
    project_id,
    digest: (await client.call('file_create', { project_id, file: Buffer.from('bytes of a file') })).digest,
  }),
  refs_read_batch: async (context) => {
    const { object_id, digest } = await object(context)
    return { refs: [`weave:///${context.project_id}/object/${object_id}:${digest}`] }
  },
  feedback_create: (context) => ({ ...feedback(context), id: context.unique() }),
  feedback_create_batch: (context) => ({ batch: [{ ...feedback(context), id: context.unique() }] }),
  feedback_replace: (context) => ({ ...feedback(context), feedback_id: context.unique() }),
  feedback_query: ({ project_id }) => ({
    project_id,
    fields: ['id', 'feedback_type', 'payload.score'],
    query: raw({ $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'custom' }] } }),
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: 10,
    offset: 0,
  }),
  feedback_purge: async (context) => {
    const { id } = await context.client.call('feedback_create', {
      ...feedback(context),
      id: context.unique(),
    })
    return { project_id: context.project_id, query: byId(id) }
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
  cost_purge: async (context) => {
    const { project_id } = context
    const costs = { 'gone-model': { prompt_token_cost: raw(1), completion_token_cost: raw(2) } }
    const { ids } = await context.client.call('cost_create', { project_id, costs })
    return { project_id, query: byId(ids[0]?.[0] ?? '') }
  },
  project_live: ({ project_id }) => ({
    ...projectPath(project_id),
    kinds: ['start', 'end'],
    trace_id: 't',
    op_name: 'answer',
    follow: false,
  }),
  project_export: ({ project_id }) => ({
    ...projectPath(project_id),
    what: 'calls',
    format: 'jsonl',
    filter: JSON.stringify({ op_names: ['answer'], trace_ids: ['t'], call_ids: ['c'] }),
    query: JSON.stringify({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
    columns: ['id', 'inputs'],
    after: `${time},a-call`,
    limit: 10,
  }),
  project_export_count: ({ project_id }) => ({
    ...projectPath(project_id),
    what: 'tables',
    filter: JSON.stringify({ digests: ['d'] }),
    after: 'a-digest,7',
  }),
  project_calls: ({ project_id }) => ({
    ...projectPath(project_id),
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
    ...projectPath(project_id),
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
    ...projectPath(project_id),
    query:
      'SELECT name, count() AS calls FROM calls WHERE started_at > {since:DateTime} GROUP BY name ORDER BY calls DESC, name',
    parameters: raw({ since: '2020-01-01 00:00:00' }),
    limit: 100,
  }),
  project_metrics: ({ project_id }) => ({
    ...projectPath(project_id),
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
    ...projectPath(project_id),
    start: '2026-07-01T00:00:00Z',
    end: '2026-08-01T00:00:00Z',
    filter: { trace_roots_only: true },
    query: raw({ $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Why?' }] } }),
  }),
  call_cost: async (context) => {
    const call = complete(context)
    await context.client.call('calls_complete', { ...projectPath(context.project_id), batch: [call] })
    return { ...projectPath(context.project_id), call_id: call.id }
  },
  project_demo: ({ project_id }) => projectPath(project_id),
  queues_list: ({ project_id }) => projectPath(project_id),
  queue_create: ({ project_id }) => ({
    ...projectPath(project_id),
    name: 'Refunds',
    description: 'Was the answer right?',
    scores: ['correct'],
  }),
  queue_read: queueExample,
  queue_update: async (context) => ({ ...(await queueExample(context)), name: 'Returns' }),
  queue_delete: queueExample,
  queue_items_add: async (context) => {
    const { call_id, ...queue } = await queueItemExample(context)
    return { ...queue, call_ids: [call_id] }
  },
  queue_items_list: queueExample,
  queue_item_remove: queueItemExample,
  queue_next: async (context) => {
    const { call_id, ...queue } = await queueItemExample(context)
    return { ...queue, after: call_id, include_skipped: true }
  },
  queue_item_claim: queueItemExample,
  queue_item_release: queueItemExample,
  queue_item_set_state: async (context) => ({ ...(await queueItemExample(context)), state: 'done' }),
  annotation_queue_create: ({ project_id }) => ({
    project_id,
    name: 'Refunds',
    description: 'Was the answer right?',
    scorer_refs: [scorerRef(project_id)],
    wb_user_id: null,
  }),
  annotation_queues_query: async (context) => {
    const { project_id } = await annotationQueueExample(context)
    return {
      project_id,
      name: 'refund',
      sort_by: [{ field: 'updated_at', direction: 'desc' }],
      limit: 10,
      offset: 0,
    }
  },
  annotation_queues_stats: async (context) => {
    const { project_id, queue_id } = await annotationItemExample(context)
    return { project_id, queue_ids: [queue_id] }
  },
  annotation_queue_read: annotationQueueExample,
  annotation_queue_update: async (context) => ({
    ...(await annotationQueueExample(context)),
    name: 'Returns',
    description: 'Is it polite?',
    scorer_refs: [scorerRef(context.project_id)],
  }),
  annotation_queue_delete: annotationQueueExample,
  annotation_queue_add_calls: async (context) => {
    const { call_id, ...queue } = await annotationItemExample(context)
    return { ...queue, call_ids: [call_id], display_fields: ['inputs.question'] }
  },
  annotation_queue_items_query: async (context) => {
    const { call_id, ...queue } = await annotationItemExample(context)
    return {
      ...queue,
      filter: { call_id, annotation_states: ['unstarted'] },
      sort_by: [{ field: 'created_at', direction: 'asc' }],
      limit: 10,
      offset: 0,
      include_position: true,
    }
  },
  annotation_queue_item_progress: async (context) => {
    const { call_id, ...queue } = await annotationItemExample(context)
    return { ...queue, item_id: call_id, annotation_state: 'completed' }
  },
  ...v2Examples,
  ...evaluationExamples,
}

/** Creates one example per operation and returns it again. For requests that the server may reject: setup runs once. */
export class ExampleCache {
  readonly #context: () => ExampleContext
  readonly #requests = new Map<OperationName, Promise<object>>()

  constructor(context: () => ExampleContext) {
    this.#context = context
  }

  async get(name: OperationName): Promise<object> {
    const request = this.#requests.get(name) ?? Promise.resolve<object>(examples[name](this.#context()))
    this.#requests.set(name, request)
    return request
  }
}
