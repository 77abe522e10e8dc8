import { callId, LONG_TRACE_ID, MODELS, RARE_MODEL, RARE_WORD, READS_PROJECT, TRACE_ID } from './fill.ts'

/** A measured query: over HTTP, and as the best SQL we know for the same rows, sent to ClickHouse directly. */
export interface BenchQuery {
  readonly name: string
  readonly path: string
  readonly body: (round: number) => object
  readonly bare: (round: number) => string
  /** Also measures the time to first byte. */
  readonly isStream?: boolean
}

const PROJECT = `project_id = '${READS_PROJECT}'`
const PAYLOADS = 'attributes, inputs, output, summary'
const NARROW =
  'id, trace_id, parent_id, op_name, display_name, started_at, ended_at, exception, wb_user_id, thread_id'
const NARROW_COLUMNS = NARROW.split(', ')
const OP = `weave:///${READS_PROJECT}/op/op_3:*`

export function benchQueries(calls: number, untilMs: number): BenchQuery[] {
  const from = new Date(untilMs - 30 * 86_400_000).toISOString()
  const user = (round: number): string => `user-${round % 50}`
  // First the rows of the page in any version, then the current version of those.
  const newest = (conditions: string, columns: string): string =>
    `SELECT ${columns} FROM calls FINAL WHERE ${PROJECT} AND ${conditions} AND (started_at, id) IN (
      SELECT started_at, id FROM calls WHERE ${PROJECT} AND is_deleted = 0 AND ${conditions}
      ORDER BY started_at DESC, id DESC LIMIT 100) ORDER BY started_at DESC, id DESC LIMIT 50`
  const descending = [{ field: 'started_at', direction: 'desc' }]
  const equals = (field: string, value: string): object => ({
    $expr: { $eq: [{ $getField: field }, { $literal: value }] },
  })
  const contains = (field: string, text: string): object => ({
    $expr: { $contains: { input: { $getField: field }, substr: { $literal: text } } },
  })
  return [
    // A list page without payloads: with a new filter each time (cold), and with the same filter again (warm).
    ...[
      ['newest 50, another list each time', user, NARROW] as const,
      ['newest 50, the same list again', () => user(7), NARROW] as const,
      ['newest 50 with payloads, the same again', () => user(7), `${NARROW}, ${PAYLOADS}`] as const,
    ].map(([name, userOf, columns]): BenchQuery => ({
      name,
      path: '/calls/stream_query',
      body: (round) => ({
        project_id: READS_PROJECT,
        filter: { op_names: [OP], wb_user_ids: [userOf(round)] },
        columns: columns.split(', '),
        sort_by: descending,
        limit: 50,
      }),
      bare: (round) =>
        newest(`startsWith(op_name, '${OP.slice(0, -1)}') AND wb_user_id = '${userOf(round)}'`, columns),
    })),
    {
      name: 'one call',
      path: '/call/read',
      body: (round) => ({ project_id: READS_PROJECT, id: callId(callNumber(round, calls), calls, untilMs) }),
      bare: (round) =>
        `SELECT * FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND (started_at, id) IN (
        SELECT started_at, id FROM call_ids WHERE ${PROJECT} AND id = '${callId(callNumber(round, calls), calls, untilMs)}')`,
    },
    {
      name: 'trace of 500',
      path: '/calls/stream_query',
      body: () => ({ project_id: READS_PROJECT, filter: { trace_ids: [TRACE_ID] } }),
      bare: () =>
        `SELECT ${NARROW}, ${PAYLOADS} FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND trace_id = '${TRACE_ID}' ORDER BY started_at, id`,
    },
    {
      name: 'trace of 50,000, narrow',
      path: '/calls/stream_query',
      body: () => ({
        project_id: READS_PROJECT,
        filter: { trace_ids: [LONG_TRACE_ID] },
        columns: NARROW_COLUMNS,
      }),
      bare: () =>
        `SELECT ${NARROW} FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND trace_id = '${LONG_TRACE_ID}' ORDER BY started_at, id`,
      isStream: true,
    },
    {
      name: 'count of all calls',
      path: '/calls/query_stats',
      body: () => ({ project_id: READS_PROJECT }),
      bare: () => `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0`,
    },
    {
      name: 'filtered count',
      path: '/calls/query_stats',
      body: (round) => ({ project_id: READS_PROJECT, filter: { wb_user_ids: [user(round)] } }),
      bare: (round) =>
        `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND wb_user_id = '${user(round)}'`,
    },
    {
      name: 'JSON path, newest 50 again',
      path: '/calls/stream_query',
      body: () => ({
        project_id: READS_PROJECT,
        query: equals('inputs.model', RARE_MODEL),
        columns: NARROW_COLUMNS,
        sort_by: descending,
        limit: 50,
      }),
      bare: () => newest(`json_fields.\`key_inputs.model\` = '=${RARE_MODEL}'`, NARROW),
    },
    {
      name: 'JSON path, count',
      path: '/calls/query_stats',
      body: (round) => ({
        project_id: READS_PROJECT,
        query: equals('inputs.model', MODELS[round % MODELS.length] ?? ''),
      }),
      bare: (round) =>
        `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND json_fields.\`key_inputs.model\` = '=${MODELS[round % MODELS.length]}'`,
    },
    {
      name: '$contains of a rare word, newest 50',
      path: '/calls/stream_query',
      body: () => ({
        project_id: READS_PROJECT,
        query: contains('inputs.messages', RARE_WORD),
        columns: NARROW_COLUMNS,
        sort_by: descending,
        limit: 50,
      }),
      bare: () => newest(`position(inputs, '${RARE_WORD}') > 0`, NARROW),
    },
    {
      name: '$contains of a rare word, count',
      path: '/calls/query_stats',
      body: () => ({ project_id: READS_PROJECT, query: contains('inputs.messages', RARE_WORD) }),
      bare: () =>
        `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND position(inputs, '${RARE_WORD}') > 0`,
    },
    ...[RARE_WORD, 'question'].map((word): BenchQuery => ({
      name: `search for ${word === RARE_WORD ? 'a rare' : 'a common'} word, newest 50`,
      path: `/api/v1/projects/${READS_PROJECT}/search`,
      body: () => ({ text: word, fields: ['inputs'] }),
      bare: () => newest(`inputs ILIKE '%${word}%'`, `${NARROW}, inputs`),
    })),
    {
      name: 'cost per model and day',
      path: '/calls/stats',
      body: () => ({
        project_id: READS_PROJECT,
        start: from,
        granularity: 86_400,
        usage_metrics: [{ metric: 'total_cost' }, { metric: 'total_tokens' }],
      }),
      bare: () =>
        `SELECT toDate(started_at) AS day, model, sum(plain_prompt), sum(completion), sum(cache_read), sum(cache_creation), sum(total)
        FROM calls FINAL ARRAY JOIN usage.model AS model, usage.plain_prompt AS plain_prompt, usage.completion AS completion,
          usage.cache_read AS cache_read, usage.cache_creation AS cache_creation, usage.total AS total
        WHERE ${PROJECT} AND is_deleted = 0 AND started_at >= '${from.slice(0, 19)}' GROUP BY day, model`,
    },
    {
      name: 'average of a score',
      path: `/api/v1/projects/${READS_PROJECT}/metrics`,
      body: () => ({ start: from, bucket: 'none', measures: ['avg(scores.helpful)'] }),
      bare: () =>
        `SELECT avg(JSONExtractFloat(payload, 'value')) FROM feedback FINAL WHERE ${PROJECT} AND feedback_type = 'wandb.annotation.helpful'
        AND substring(weave_ref, ${`weave:///${READS_PROJECT}/call/`.length + 1}) IN (
          SELECT id FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND started_at >= '${from.slice(0, 19)}')`,
    },
  ]
}

/** The number of a pseudo-random call, different in each round. */
function callNumber(round: number, calls: number): number {
  return (round * 7_919_993 + 12_345) % calls
}
