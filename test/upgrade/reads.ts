import { PROJECT, type Request } from './api.ts'
import { CALL_IDS, TRACE_ID } from './calls.ts'
import type { Names } from './records.ts'

/** Reads of the records of a fixture: at least one of each operation that reads data of a project. */

const [entity = '', project = ''] = PROJECT.split('/')
const V2 = `/v2/${entity}/${project}`
const V1 = `/api/v1/projects/${entity}/${project}`
const RANGE = { start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z' }
/** Feedback is stored with the time when the fixture was created. */
const RECENT = {
  start: new Date(Date.now() - 2 * 86_400_000).toISOString(),
  end: new Date(Date.now() + 2 * 86_400_000).toISOString(),
}

const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: object): Request => ({ method: 'POST', path, body })
const inProject = (path: string, body: object = {}): Request => post(path, { project_id: PROJECT, ...body })

export function readsOf(names: Names): Request[] {
  return [
    ...readsOfCalls(names),
    ...readsOfObjects(names),
    ...readsOfAgents(),
    ...readsOfFeedback(),
    ...readsOfEvaluations(names),
    ...readsOfProject(names),
  ]
}

function equals(field: string, value: unknown): object {
  return { $expr: { $eq: [{ $getField: field }, { $literal: value }] } }
}

function readsOfCalls({ span_call_id }: Names): Request[] {
  const everything = {
    sort_by: [{ field: 'started_at', direction: 'asc' }],
    include_costs: true,
    include_feedback: true,
  }
  return [
    ...Object.values(CALL_IDS).map((id) => inProject('/call/read', { id, include_costs: true })),
    inProject('/calls/query', everything),
    inProject('/calls/query', {
      filter: { trace_ids: [TRACE_ID] },
      columns: ['id', 'inputs.question', 'summary'],
    }),
    inProject('/calls/query', { query: equals('inputs.question', 'Where is order 11?') }),
    inProject('/calls/query', {
      query: equals('attributes.user_id', 'customer-7'),
      sort_by: [{ field: 'id', direction: 'desc' }],
    }),
    inProject('/calls/query', {
      query: { $expr: { $contains: { input: { $getField: 'inputs' }, substr: { $literal: 'order 1' } } } },
    }),
    inProject('/calls/stream_query', everything),
    inProject('/calls/query_stats'),
    inProject('/calls/query_stats', { filter: { trace_roots_only: true }, include_total_storage_size: true }),
    inProject('/threads/stream_query'),
    inProject('/calls/usage', { call_ids: [CALL_IDS.model, CALL_IDS.apart], include_costs: true }),
    inProject('/trace/usage', { filter: { trace_ids: [TRACE_ID] }, include_costs: true }),
    inProject('/calls/stats', {
      ...RANGE,
      granularity: 3600,
      usage_metrics: [
        { metric: 'total_cost', aggregations: ['sum'] },
        { metric: 'input_tokens', aggregations: ['sum', 'avg'] },
      ],
      call_metrics: [{ metric: 'latency_ms', aggregations: ['max'], percentiles: [50] }],
    }),
    post(`${V1}/calls`, { direction: 'asc', columns: ['inputs', 'output', 'summary'] }),
    post(`${V1}/search`, { text: 'order', after: RANGE.start, before: RANGE.end }),
    post(`${V1}/sql`, {
      query: 'SELECT id, trace_id, started_at, display_name FROM calls ORDER BY started_at, id',
    }),
    post(`${V1}/metrics`, {
      ...RANGE,
      bucket: 'hour',
      group_by: ['op'],
      measures: ['count', 'errors', 'total_tokens', 'cost'],
    }),
    post(`${V1}/costs`, RANGE),
    get(`${V1}/calls/${CALL_IDS.model}/cost`),
    inProject('/call/read', { id: span_call_id }),
    get(`${V1}/calls/${span_call_id}/explain`),
  ]
}

function readsOfAgents(): Request[] {
  const conversation_id = 'thread-1'
  return [
    inProject('/agents/query'),
    inProject('/agents/agent-versions/query', { agent_name: 'bot' }),
    inProject('/agents/spans/query', { include_details: true }),
    inProject('/agents/spans/custom-attrs/schema'),
    inProject('/agents/spans/stats', {
      start: RANGE.start,
      end: RANGE.end,
      metrics: [{ alias: 'spans', value: { key: 'span_id' }, value_type: 'string', aggregations: ['count'] }],
    }),
    inProject('/agents/traces/chat', { trace_id: TRACE_ID }),
    inProject('/agents/conversations/chat', { conversation_id }),
    inProject('/agents/conversations/spans', { conversation_ids: [conversation_id] }),
    inProject('/agents/search', { query: 'order' }),
  ]
}

function readsOfObjects({ object, table, file }: Names): Request[] {
  return [
    inProject('/obj/read', { object_id: 'settings', digest: 'latest' }),
    inProject('/obj/read', { object_id: 'settings', digest: object.digest }),
    inProject('/obj/read', { object_id: 'settings', digest: 'staging' }),
    inProject('/obj/read', { object_id: 'settings', digest: 'v0' }),
    inProject('/objs/query', { sort_by: [{ field: 'created_at', direction: 'asc' }] }),
    inProject('/objs/query', { filter: { latest_only: true, is_op: false }, metadata_only: true }),
    get(`/tags?project_id=${encodeURIComponent(PROJECT)}`),
    get(`/aliases?project_id=${encodeURIComponent(PROJECT)}`),
    inProject('/table/query', { digest: table }),
    inProject('/table/query', { digest: table, sort_by: [{ field: 'n', order: 'desc' }], limit: 2 }),
    inProject('/table/query_stats', { digest: table }),
    inProject('/table/query_stats_batch', { digests: [table], include_storage_size: true }),
    get(`${V1}/tables/${table}/export?format=csv`),
    inProject('/file/content', { digest: file }),
    inProject('/files/query_stats'),
    post('/refs/read_batch', { refs: [`weave:///${PROJECT}/object/settings:${object.digest}/attr/text`] }),
  ]
}

function readsOfFeedback(): Request[] {
  return [
    inProject('/feedback/query', { sort_by: [{ field: 'id', direction: 'asc' }] }),
    inProject('/feedback/query', {
      fields: ['id', 'payload.score'],
      query: equals('feedback_type', 'quality'),
    }),
    inProject('/feedback/stats', {
      ...RECENT,
      feedback_type: 'quality',
      granularity: 86_400,
      metrics: [{ json_path: 'score', value_type: 'numeric', aggregations: ['avg', 'count'] }],
    }),
    inProject('/feedback/aggregate', { after_ms: 0, before_ms: 1_900_000_000_000 }),
    inProject('/feedback/payload_schema', { ...RECENT, feedback_type: 'quality' }),
  ]
}

function readsOfEvaluations(names: Names): Request[] {
  const { evaluation_run_id, prediction_id, score_id } = names
  const versions = (['op', 'dataset', 'scorer', 'model', 'evaluation'] as const).flatMap((kind) => {
    const { object_id, digest } = names[kind]
    return [get(`${V2}/${kind}s`), get(`${V2}/${kind}s/${object_id}/versions/${digest}`)]
  })
  return [
    ...versions,
    get(`${V2}/evaluation_runs`),
    post(`${V1}/evaluations/compare`, { baseline: evaluation_run_id, run: CALL_IDS.root }),
    get(`${V2}/evaluation_runs/${evaluation_run_id}`),
    get(`${V2}/predictions?evaluation_run_id=${evaluation_run_id}`),
    get(`${V2}/predictions/${prediction_id}`),
    get(`${V2}/scores?evaluation_run_id=${evaluation_run_id}`),
    get(`${V2}/scores/${score_id}`),
    post(`${V2}/eval_results/query`, { evaluation_run_ids: [evaluation_run_id], include_summary: true }),
  ]
}

function readsOfProject({ queue_id, dataset }: Names): Request[] {
  const exports = ['calls', 'feedback', 'objects', 'tables'].flatMap((what) => [
    get(`${V1}/export?what=${what}&format=jsonl`),
    get(`${V1}/export/count?what=${what}`),
  ])
  return [
    ...exports,
    inProject('/project/stats'),
    post('/service/projects_info', { project_ids: [PROJECT, 'acme/other'] }),
    inProject('/cost/query', {
      query: equals('llm_id', 'fixture-model'),
      sort_by: [{ field: 'effective_date', direction: 'asc' }],
    }),
    get('/api/v1/projects'),
    get('/api/v1/users'),
    get(`${V1}/members`),
    get(`${V1}/retention`),
    get(`${V1}/secrets`),
    get(`${V1}/model_budget`),
    get(`${V1}/scorers`),
    post(`${V1}/scorers/report`, { scorer: 'relevance', label: 'correct' }),
    get(`${V1}/evaluations/gates`),
    get(`${V1}/evaluations/baselines`),
    post(`${V1}/retention/preview`, {
      calls_max_age_seconds: null,
      calls_max_bytes: 1,
      payloads_max_age_seconds: null,
      payloads_max_bytes: null,
      keep_tags: ['refund'],
    }),
    get(`${V1}/queues`),
    get(`${V1}/queues/${queue_id}`),
    get(`${V1}/queues/${queue_id}/items`),
    get(`${V1}/queues/${queue_id}/results?format=csv`),
    get(`${V1}/queues/${queue_id}/agreement`),
    get(`/annotation_queues/${queue_id}?project_id=${encodeURIComponent(PROJECT)}`),
    inProject('/annotation_queues/query'),
    inProject('/annotation_queues/stats', { queue_ids: [queue_id] }),
    inProject(`/annotation_queues/${queue_id}/items/query`),
    inProject('/project/ttl_settings/read'),
    inProject('/dataset_sources/query', { dataset_object_id: dataset.object_id, include_deleted: true }),
    inProject('/dataset_sources/source_datasets_query', {
      sources: [{ source_kind: 'call', source_id: CALL_IDS.root, source_trace_id: TRACE_ID }],
    }),
    inProject('/files/resolve_url', { uris: [] }),
    inProject('/calls/query_stats', { project_id: 'acme/other' }),
    { method: 'POST', path: '/call/read', body: { project_id: 'acme/other', id: CALL_IDS.root } },
  ]
}
