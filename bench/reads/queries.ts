import { idOf, LONG_TRACE_ID, MODELS, RARE_MODEL, RARE_WORD, READS_PROJECT, TRACE_ID } from './fill.ts'

/** What is asked: over HTTP, and as the best SQL we know for the same rows, given straight to the engine. */
export interface Question {
  readonly name: string
  readonly path: string
  readonly body: (turn: number) => object
  readonly bare: (turn: number) => string
  /** Also measures when the first bytes arrive. */
  readonly isStream?: boolean
}

const PROJECT = `project_id = '${READS_PROJECT}'`
const PAYLOADS = 'attributes, inputs, output, summary'
const NARROW =
  'id, trace_id, parent_id, op_name, display_name, started_at, ended_at, exception, wb_user_id, thread_id'
const NARROW_COLUMNS = NARROW.split(', ')
const OP = `weave:///${READS_PROJECT}/op/op_3:*`

export function questions(calls: number, untilMs: number): Question[] {
  const from = new Date(untilMs - 30 * 86_400_000).toISOString()
  const user = (turn: number): string => `user-${turn % 50}`
  // Rows of the page first, whatever their version; then those of them that are current.
  const newest = (conditions: string, columns: string): string =>
    `SELECT ${columns} FROM calls FINAL WHERE ${PROJECT} AND ${conditions} AND (started_at, id) IN (
      SELECT started_at, id FROM calls WHERE ${PROJECT} AND is_deleted = 0 AND ${conditions}
      ORDER BY started_at DESC, id DESC LIMIT 100) ORDER BY started_at DESC, id DESC LIMIT 50`
  const descending = [{ field: 'started_at', direction: 'desc' }]
  const equals = (field: string, value: string): object => ({
    $expr: { $eq: [{ $getField: field }, { $literal: value }] },
  })
  return [
    // Without payloads, as a list is shown: one that nobody has asked for yet, and one that is asked for again.
    ...[
      ['newest 50, another list each time', user, NARROW] as const,
      ['newest 50, the same list again', () => user(7), NARROW] as const,
      ['newest 50 with payloads, the same again', () => user(7), `${NARROW}, ${PAYLOADS}`] as const,
    ].map(([name, whose, columns]): Question => ({
      name,
      path: '/calls/stream_query',
      body: (turn) => ({
        project_id: READS_PROJECT,
        filter: { op_names: [OP], wb_user_ids: [whose(turn)] },
        columns: columns.split(', '),
        sort_by: descending,
        limit: 50,
      }),
      bare: (turn) =>
        newest(`startsWith(op_name, '${OP.slice(0, -1)}') AND wb_user_id = '${whose(turn)}'`, columns),
    })),
    {
      name: 'one call',
      path: '/call/read',
      body: (turn) => ({ project_id: READS_PROJECT, id: idOf(place(turn, calls), calls, untilMs) }),
      bare: (turn) =>
        `SELECT * FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND (started_at, id) IN (
        SELECT started_at, id FROM call_ids WHERE ${PROJECT} AND id = '${idOf(place(turn, calls), calls, untilMs)}')`,
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
      name: 'filtered count',
      path: '/calls/query_stats',
      body: (turn) => ({ project_id: READS_PROJECT, filter: { wb_user_ids: [user(turn)] } }),
      bare: (turn) =>
        `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND wb_user_id = '${user(turn)}'`,
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
      bare: () => newest(`leaves.\`key_inputs.model\` = '=${RARE_MODEL}'`, NARROW),
    },
    {
      name: 'JSON path, count',
      path: '/calls/query_stats',
      body: (turn) => ({
        project_id: READS_PROJECT,
        query: equals('inputs.model', MODELS[turn % MODELS.length] ?? ''),
      }),
      bare: (turn) =>
        `SELECT count() FROM calls FINAL WHERE ${PROJECT} AND is_deleted = 0 AND leaves.\`key_inputs.model\` = '=${MODELS[turn % MODELS.length]}'`,
    },
    ...[RARE_WORD, 'question'].map((word): Question => ({
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
  ]
}

/** Any call, another one each time. */
function place(turn: number, calls: number): number {
  return (turn * 7_919_993 + 12_345) % calls
}
