import {
  MAX_ALIAS_CHARACTERS,
  MAX_BUCKETS,
  MAX_DELETED_CALLS,
  MAX_DELETED_VERSIONS,
  MAX_DEPTH,
  MAX_EXPANDED_BYTES,
  MAX_EXPANDED_COLUMNS,
  MAX_FEEDBACK_PAYLOAD_BYTES,
  MAX_FIELD_INDEXES,
  MAX_FIELD_PARTS,
  MAX_FILTER_ITEMS,
  MAX_ID_CHARACTERS,
  MAX_ITEMS,
  MAX_SHARED_BYTES,
  MAX_KEYS_PER_USER,
  MAX_NEW_PROJECTS_PER_REQUEST,
  MAX_NOTE_CHARACTERS,
  MAX_OBJECT_ID_CHARACTERS,
  MAX_PROJECT_ID_CHARACTERS,
  MAX_QUERY_DEPTH,
  MAX_QUERY_NODES,
  MAX_QUEUE_ITEMS,
  MAX_REF_JOINS,
  MAX_REFS,
  MAX_RESPONSE_BYTES,
  MAX_ROWS,
  MAX_SESSIONS_PER_USER,
  MAX_SQL_CHARACTERS,
  MAX_SQL_PARAMETERS,
  MAX_STATS_DAYS,
  MAX_TAG_CHARACTERS,
  NEW_KEYS,
  NEW_PROJECTS,
  NEW_SESSIONS,
  PASSWORD_CHANGES,
  ROLE_CHANGES,
  SQL_ROW_LIMIT,
  type UserRate,
} from '../../contract/limits.ts'
import type { BodyKind } from '../../contract/operation.ts'
import type { OperationName } from '../../contract/operations.ts'
import {
  HEADERS_TIMEOUT_MS,
  MAX_FORM_PARTS,
  MAX_HEADER_BYTES,
  MAX_PATH_PARAMETER_CHARACTERS,
  MIN_BODY_BYTES_PER_SECOND,
  PUBLIC_BODY_LIMIT_BYTES,
  QUERY_BODY_LIMIT_BYTES,
  REQUEST_TIMEOUT_MS,
  SLOW_BODY_GRACE_MS,
} from '../limits.ts'
import { MAX_CALLER_FRACTION } from '../memory-budget.ts'
import type { DescribedOperations, OperationSchemas } from './operation-schemas.ts'

/** Content of the API reference, rendered as HTML (docs-page.ts) and as docs/api.md (scripts/generate.ts). */

export const SPECIFIED_TITLE = 'The ten operations'

/** `document` is a link in docs/api.md and a file name at `/docs`. */
export function specifiedText(document: string): string {
  return `These are the operations of the ${document}, which numbers their rules. All others follow further down.`
}

export const INTRODUCTION =
  'Every operation is served at `/` and under `/traces`; those under `/api/v1` at `/` only. Authenticate with ' +
  '`Authorization: Basic base64(username:password)`, or `api:<key>` for an API key; a key also as `Authorization: Bearer ' +
  '<key>` or `wandb-api-key: <key>`. Optional fields may be null. Payloads (`any` below) are returned byte for byte, except that NaN, Infinity and -Infinity, which ' +
  'Python writes, are stored as null.'

export const UNKNOWN_KEYS =
  'An unknown key is rejected with 422, which names it and the most similar known key, wherever it could have changed what ' +
  'is selected or deleted: anywhere in a request that deletes or removes something, and inside of `filter`, `query`, ' +
  '`sort_by` and every other nested object. Unknown keys at the top of other requests, in the query string of a request ' +
  'with a body, and in records that SDKs store (calls, objects, tables, batches of feedback), as well as unknown keys with ' +
  'the value null, are ignored; the response names them in the header `Heddle-Ignored-Fields`, for example ' +
  '`limt, batch.req.start.agent`.'

export const PARTIAL_RESPONSES =
  'While a shard of a cluster is unavailable, a read that needs it fails with 503 and `unavailable_shards` in the error. ' +
  'With the request header `Heddle-Accept-Partial: true`, lists, counts and statistics are read from the other shards ' +
  'instead. Such a response has the header `Heddle-Partial` with the numbers of the shards that are missing, for example ' +
  '`2, 3`, and a JSON object also the field `"partial": {"unavailable_shards": [2, 3]}`. A response without the header is ' +
  'complete. Writes, deletions, exports, the live feed and reads by id are never partial.'

export const RESPONSE_FORMATS = {
  json: 'Returns one JSON document.',
  jsonl: 'Returns JSON Lines: one JSON document per line.',
  bytes: 'Returns bytes.',
  stream: 'Returns a stream of bytes.',
  otlp: 'Returns a message of OTLP in the encoding of the request.',
  events: 'Returns server-sent events with one JSON document each.',
} as const

/** How the fields of a request are sent, unless as JSON, in the path or in the query string. */
export const BODY_NOTES: Readonly<Record<BodyKind, string>> = {
  json: '',
  none: '',
  multipart: 'The request is a multipart form. ',
  otlp: 'The body is an export request of OTLP; the other fields are headers. ',
}

export interface Section {
  readonly tag: string
  readonly operations: readonly OperationSchemas[]
}

/** The ten operations of docs/specification.md, in its order. The reference begins with them. */
const SPECIFIED: readonly OperationName[] = [
  'call_start',
  'call_upsert_batch',
  'call_read',
  'calls_query_stats',
  'obj_read',
  'objs_query',
  'table_query',
  'feedback_replace',
  'feedback_query',
  'cost_query',
]

export function specifiedOperations({ operations }: DescribedOperations): OperationSchemas[] {
  return SPECIFIED.flatMap((name) => operations.filter((operation) => operation.name === name))
}

/** All other operations. */
export function otherSections({ operations, ...described }: DescribedOperations): Section[] {
  const others = operations.filter(({ name }) => !SPECIFIED.includes(name as OperationName))
  return sections({ ...described, operations: others })
}

export function sections({ operations }: DescribedOperations): Section[] {
  const byTag = new Map<string, OperationSchemas[]>()
  for (const description of operations) {
    const { tag } = description.operation
    byTag.set(tag, [...(byTag.get(tag) ?? []), description])
  }
  return [...byTag].map(([tag, all]) => ({ tag, operations: all })).sort((a, b) => (a.tag < b.tag ? -1 : 1))
}

export interface BodyLimits {
  readonly bodyLimitBytes: number
  readonly inFlightLimitBytes: number
  readonly memoryWaitMs: number
}

/** Rows of the limits table: resource, limit, what happens when it is exceeded. */
export function limitLines(limits: BodyLimits): [string, string, string][] {
  const s = (ms: number): string => `${ms / 1000} s`
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`
  const n = (count: number): string => count.toLocaleString('en-US')
  const rate = ({ burst, perMinute }: UserRate): string => `${n(burst)}, then ${n(perMinute)} per minute`
  const characters = (count: number): string => `${n(count)} characters`
  return [
    [
      'Request body, after decompression',
      `${mib(limits.bodyLimitBytes)} (HEDDLE_BODY_LIMIT_BYTES)`,
      '413 too_large',
    ],
    [
      'Request body of an operation without write access',
      `${mib(QUERY_BODY_LIMIT_BYTES)}; without credentials ${PUBLIC_BODY_LIMIT_BYTES / 1024} KiB`,
      '413 too_large',
    ],
    [
      'Bodies of all requests in memory',
      `${mib(limits.inFlightLimitBytes)} (HEDDLE_IN_FLIGHT_LIMIT_BYTES), and as much for large requests; ` +
        `${MAX_CALLER_FRACTION * 100} % per user, but one request at a time may exceed its share`,
      `the request waits ${s(limits.memoryWaitMs)} (HEDDLE_MEMORY_WAIT_MS), then 503 unavailable with Retry-After`,
    ],
    [
      'Speed of a request body',
      `${MIN_BODY_BYTES_PER_SECOND / 1024} KiB per second on average, after ${s(SLOW_BODY_GRACE_MS)}`,
      '503 unavailable',
    ],
    ['Response that is not streamed', mib(MAX_RESPONSE_BYTES), '422 unprocessable'],
    ['JSON nesting', `${MAX_DEPTH} levels`, '413 too_large'],
    ['Records in a batch, spans or log records in an OTLP export', n(MAX_ITEMS), '413 too_large'],
    [
      'Resource and scope attributes of an OTLP export, which are stored with each span',
      mib(MAX_SHARED_BYTES),
      '413 too_large',
    ],
    ['Rows, ids or digests in an array', n(MAX_ROWS), '413 too_large'],
    ['Calls deleted per request', n(MAX_DELETED_CALLS), '413 too_large'],
    ['Parts of a multipart form', n(MAX_FORM_PARTS), '413 too_large'],
    ['project_id', characters(MAX_PROJECT_ID_CHARACTERS), '422 unprocessable'],
    ['Ids of calls, traces and feedback', characters(MAX_ID_CHARACTERS), '422 unprocessable'],
    ['object_id of a new object', characters(MAX_OBJECT_ID_CHARACTERS), '400 invalid_request'],
    [
      'Tags and aliases of objects',
      `${characters(MAX_TAG_CHARACTERS)}, ${characters(MAX_ALIAS_CHARACTERS)}`,
      '400 invalid_request',
    ],
    ['Versions deleted per request', n(MAX_DELETED_VERSIONS), '400 invalid_request'],
    ['Refs in refs/read_batch', n(MAX_REFS), '400 invalid_request'],
    ['Items of each list in a filter of calls', n(MAX_FILTER_ITEMS), '400 invalid_request'],
    [
      'Query',
      `${n(MAX_QUERY_NODES)} nodes, ${MAX_QUERY_DEPTH} levels; each part of a field name is a node`,
      '400 invalid_request',
    ],
    ['Field name', `${MAX_FIELD_PARTS} parts, ${MAX_FIELD_INDEXES} of them numbers`, '422 unprocessable'],
    [
      'Expanded columns',
      `${n(MAX_EXPANDED_COLUMNS)}; ${n(MAX_REF_JOINS)} used by a query`,
      '400 invalid_request',
    ],
    ['Values that replace refs in expanded columns', mib(MAX_EXPANDED_BYTES), 'further refs stay refs'],
    [
      'Feedback',
      `payload ${mib(MAX_FEEDBACK_PAYLOAD_BYTES)}, note ${characters(MAX_NOTE_CHARACTERS)}`,
      '400 invalid_request',
    ],
    ['Time range of statistics', `${MAX_STATS_DAYS} days, ${n(MAX_BUCKETS)} buckets`, '400 invalid_request'],
    ['Calls in a review queue', n(MAX_QUEUE_ITEMS), '409 conflict'],
    [
      'SQL query',
      `${characters(MAX_SQL_CHARACTERS)}, ${MAX_SQL_PARAMETERS} parameters, ${n(SQL_ROW_LIMIT.max)} rows`,
      '422 unprocessable; further rows are dropped',
    ],
    ['API keys of a user', n(MAX_KEYS_PER_USER), '409 conflict'],
    ['Sessions of a user', n(MAX_SESSIONS_PER_USER), 'a new one ends the oldest'],
    ['API keys that a user creates', rate(NEW_KEYS), '429 rate_limited'],
    ['Sessions that a user creates', rate(NEW_SESSIONS), '429 rate_limited'],
    ['Roles that a user changes', rate(ROLE_CHANGES), '429 rate_limited'],
    ['Password changes of a user', rate(PASSWORD_CHANGES), '429 rate_limited'],
    ['New projects in a request', n(MAX_NEW_PROJECTS_PER_REQUEST), '413 too_large'],
    ['New projects of a user', `${rate(NEW_PROJECTS)}; not of server admins`, '429 rate_limited'],
    ['Segment of a path', characters(MAX_PATH_PARAMETER_CHARACTERS), '400 invalid_request'],
    ['Request headers', `${MAX_HEADER_BYTES / 1024} KiB`, '431'],
    ['Time to send the headers', s(HEADERS_TIMEOUT_MS), '408'],
    ['Time to send the whole request', s(REQUEST_TIMEOUT_MS), '408'],
  ]
}
