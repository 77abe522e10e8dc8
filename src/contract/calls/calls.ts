import { z } from 'zod'
import { callColumnNames } from './call-columns.ts'
import { callsFilter } from './calls-filter.ts'
import {
  emptyResponse,
  limit,
  nullableText,
  offset,
  projectId,
  recordId,
  requestTimeOrNumber,
  sortByFields,
} from '../fields.ts'
import { operation } from '../operation.ts'
import { projectPathFields, pathProjectId } from '../project-path.ts'
import { CALL_FIELDS, callQuery, fieldPath } from '../query.ts'
import { rawJson, rawNumber, rawObject } from '../raw-json.ts'

const optionalId = z.string().max(256).nullish()
const opName = z.string().min(1)
const step = z.int().min(0).nullish()

/** docs/specification.md, section 1. Only the project and the op name are required; missing ids and times are generated. */
const callStart = z.object({
  project_id: projectId,
  op_name: opName,
  id: optionalId,
  trace_id: optionalId,
  parent_id: optionalId,
  thread_id: optionalId,
  turn_id: optionalId,
  display_name: nullableText,
  started_at: requestTimeOrNumber.nullish(),
  attributes: rawObject.nullish(),
  inputs: rawObject.nullish(),
  otel_dump: rawJson.nullish(),
  wb_user_id: nullableText.meta({ description: 'Default: the caller.' }),
  wb_run_id: nullableText,
  wb_run_step: step,
})

const callEnd = z.object({
  project_id: projectId,
  id: recordId,
  ended_at: requestTimeOrNumber.nullish(),
  exception: nullableText,
  output: rawJson.nullish(),
  summary: rawObject.nullish(),
  wb_run_step_end: step,
})

/** A finished call: start and end in one record. */
const callComplete = callStart.extend({
  id: recordId,
  ended_at: requestTimeOrNumber.nullish(),
  exception: nullableText,
  output: rawJson.nullish(),
  summary: rawObject.nullish(),
  wb_run_step_end: step,
})

export type CallStart = z.output<typeof callStart>
export type CallEnd = z.output<typeof callEnd>
export type CallComplete = z.output<typeof callComplete>

const startResponse = z.object({ id: z.string(), trace_id: z.string() })

const batchItem = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('start'), req: z.object({ start: callStart }) }),
  z.object({ mode: z.literal('end'), req: z.object({ end: callEnd }) }),
])

/** Optional sizes, computed at extra cost. */
const storageSizeFlags = {
  include_storage_size: z
    .boolean()
    .nullish()
    .meta({ description: 'Return the payload size of each call in bytes.' }),
  include_total_storage_size: z
    .boolean()
    .nullish()
    .meta({ description: 'Return the payload size of the whole trace in bytes.' }),
}

/** What the calls of a trace have in total, whichever of them it is recorded with. */
const traceTotals = z.object({
  calls: z.int(),
  errors: z.int(),
  running: z.int(),
  started_at: z.string(),
  ended_at: z.string().nullable().meta({ description: 'The latest end; null without one.' }),
  prompt_tokens: z
    .int()
    .nullable()
    .meta({ description: 'Each request to a model counts once. Null for traces with too many model calls.' }),
  completion_tokens: z.int().nullable(),
  total_tokens: z.int().nullable(),
  cache_read_input_tokens: z.int().nullable(),
  cost: rawNumber.nullable().meta({ description: 'In US dollars; null if no model has a price.' }),
  unpriced: z.array(z.string()).meta({ description: 'Models without a price, which `cost` excludes.' }),
  models: z.array(z.string()),
  end_user: z
    .string()
    .nullable()
    .meta({ description: 'The earliest of the trace, as session and environment are.' }),
  session: z.string().nullable(),
  environment: z.string().nullable(),
  tags: z.array(z.string()).meta({ description: 'Those that the app sent with any call.' }),
})

export type TraceTotals = z.output<typeof traceTotals>

/** A call as read operations return it. */
export const call = z.object({
  id: z.string(),
  project_id: z.string(),
  op_name: z.string(),
  display_name: z.string().nullable(),
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  thread_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  started_at: z.string(),
  attributes: rawJson,
  inputs: rawJson,
  ended_at: z.string().nullable(),
  exception: z.string().nullable(),
  output: rawJson.nullable(),
  summary: rawJson.nullable(),
  wb_user_id: z.string().nullable().meta({ description: 'As sent; the sender if nothing was.' }),
  sent_by: z.string().nullable().meta({ description: 'The user whose credentials sent the call.' }),
  wb_run_id: z.string().nullable(),
  wb_run_step: z.int().nullable(),
  wb_run_step_end: z.int().nullable(),
  deleted_at: z.string().nullable(),
  expire_at: z.string().nullable(),
  storage_size_bytes: z.int().nullable(),
  total_storage_size_bytes: z
    .int()
    .nullable()
    .meta({ description: 'Payload size of the whole trace; set on its root call only.' }),
  wb_username: z.string().nullish(),
  fields: z.record(z.string(), z.string().nullable()).optional().meta({
    description:
      'Values of the fields named in `fields` of `project_calls`; null without a value. Of `model` and `tags` a JSON array.',
  }),
  trace_totals: traceTotals.optional().meta({
    description: 'Totals of the trace of the call; see `include_trace_totals` of `project_calls`.',
  }),
  preview: z.object({ inputs: z.string(), output: z.string() }).optional().meta({
    description:
      'Truncated JSON text of `inputs` and `output`; see `preview_characters` and `preview_messages` of `project_calls`.',
  }),
})

export type Call = z.output<typeof call>

const callsQuery = z.object({
  project_id: projectId,
  filter: callsFilter.nullish(),
  query: callQuery.nullish(),
  sort_by: sortByFields(CALL_FIELDS),
  limit,
  offset,
  columns: callColumnNames,
  expand_columns: z.array(fieldPath).nullish().meta({
    description:
      'Fields whose refs are replaced by the values they refer to; an object gets its ref in `_ref`. Queries and sort orders see those values too. Refs that cannot be resolved, and refs beyond 64 MiB of values in one response, stay refs.',
  }),
  return_expanded_column_values: z
    .boolean()
    .nullish()
    .meta({ description: 'False: only queries and sort orders use the expanded values.' }),
  include_costs: z.boolean().nullish(),
  include_feedback: z.boolean().nullish(),
  include_usernames: z.boolean().nullish().meta({ description: 'Add `wb_username` to each call.' }),
  ...storageSizeFlags,
})

export type CallsQuery = z.output<typeof callsQuery>

function batchItemProject(item: z.output<typeof batchItem>): string {
  return item.mode === 'end' ? item.req.end.project_id : item.req.start.project_id
}

export const callsOperations = {
  call_start: operation({
    path: '/call/start',
    summary: 'Store the start of a call.',
    access: 'write',
    request: z.object({ start: callStart }),
    response: startResponse,
    projects: (request) => [request.start.project_id],
    calls: (request) => [request.start.project_id],
  }),
  call_end: operation({
    path: '/call/end',
    summary: 'Store the end of a call.',
    access: 'write',
    request: z.object({ end: callEnd }),
    response: emptyResponse,
    projects: (request) => [request.end.project_id],
    calls: (request) => [request.end.project_id],
  }),
  call_upsert_batch: operation({
    path: '/call/upsert_batch',
    summary: 'Store starts and ends of calls, in any order.',
    access: 'write',
    request: z.object({ batch: z.array(batchItem).max(100_000) }),
    response: z.object({ res: z.array(z.union([startResponse, emptyResponse])) }),
    projects: ({ batch }) => batch.map(batchItemProject),
    calls: ({ batch }) => batch.map(batchItemProject),
  }),
  calls_complete: operation({
    path: '/v2/{entity}/{project}/calls/complete',
    summary: 'Store finished calls, one record per call.',
    access: 'write',
    request: z.object({ ...projectPathFields, batch: z.array(callComplete).max(100_000) }),
    response: emptyResponse,
    projects: (request) => [pathProjectId(request), ...request.batch.map((item) => item.project_id)],
    calls: (request) => request.batch.map((item) => item.project_id),
  }),
  call_start_v2: operation({
    path: '/v2/{entity}/{project}/call/start',
    summary: 'Store the start of a call.',
    access: 'write',
    request: z.object({ ...projectPathFields, start: callStart }),
    response: startResponse,
    projects: (request) => [pathProjectId(request), request.start.project_id],
    calls: (request) => [request.start.project_id],
  }),
  call_end_v2: operation({
    path: '/v2/{entity}/{project}/call/end',
    summary: 'Store the end of a call.',
    access: 'write',
    request: z.object({ ...projectPathFields, end: callEnd }),
    response: emptyResponse,
    projects: (request) => [pathProjectId(request), request.end.project_id],
    calls: (request) => [request.end.project_id],
  }),
  call_update: operation({
    path: '/call/update',
    summary: 'Rename a call.',
    access: 'write',
    request: z.object({ project_id: projectId, call_id: recordId, display_name: z.string() }),
    response: emptyResponse,
  }),
  calls_delete: operation({
    path: '/calls/delete',
    summary: 'Delete calls and all their descendants.',
    access: 'write',
    deletes: true,
    request: z.object({
      project_id: projectId,
      call_ids: z.array(recordId),
      wb_user_id: z
        .null('must not be set; the server knows the caller')
        .optional()
        .meta({ description: 'Sent as null by SDKs.' }),
    }),
    response: z.object({ num_deleted: z.int() }),
  }),
  call_read: operation({
    path: '/call/read',
    summary: 'Read one call.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      id: recordId,
      include_costs: z.boolean().nullish(),
      ...storageSizeFlags,
    }),
    response: z.object({ call: call.nullable() }),
  }),
  calls_query: operation({
    path: '/calls/query',
    summary: 'Read the matching calls as one JSON document.',
    access: 'read',
    request: callsQuery,
    response: z.object({ calls: z.array(call) }),
  }),
  calls_query_stream: operation({
    path: '/calls/stream_query',
    summary: 'Stream the matching calls as JSON lines.',
    access: 'read',
    request: callsQuery,
    response: call,
    responseFormat: 'jsonl',
  }),
  calls_query_stats: operation({
    path: '/calls/query_stats',
    summary: 'Count the matching calls.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      filter: callsFilter.nullish(),
      query: callQuery.nullish(),
      limit,
      expand_columns: z.array(fieldPath).nullish(),
      include_total_storage_size: z
        .boolean()
        .nullish()
        .meta({ description: 'Return the total payload size of the matching calls in bytes.' }),
    }),
    response: z.object({
      count: z.int(),
      has_more: z.boolean().meta({ description: 'Whether more calls match than `limit` counts.' }),
      total_storage_size_bytes: z.int().nullable(),
    }),
  }),
}
