/**
 * Fills the database for read benches, inside ClickHouse: calls of 1 KB over the last thirty days, ten per trace, plus
 * calls of other projects. The rows equal those that the server writes for finished calls.
 */
export const READS_PROJECT = 'admin/reads'

const DAYS = 30
export const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4', 'gemini-2.5-pro'] as const
/** The model of one call in a thousand. */
export const RARE_MODEL = 'rare-model'
/** In the inputs of one call in fifty thousand. */
export const RARE_WORD = 'quetzalcoatlus'
/** The newest calls form one trace of a typical agent run and one extremely long trace. */
const TRACE_CALLS = 500
const LONG_TRACE_CALLS = 50_000
export const TRACE_ID = '0190c5b0-0000-7000-8000-00000000aaaa'
export const LONG_TRACE_ID = '0190c5b0-0000-7000-8000-00000000bbbb'

export const END_USERS = 10_000
/** One call in a hundred has a score. */
const SCORED = 100

const ROWS_PER_INSERT = 250_000
const OTHERS = 20

export interface FillOptions {
  readonly calls: number
  readonly others: number
  /** Start time of the newest call, in milliseconds. */
  readonly untilMs: number
  readonly execute: (statement: string) => Promise<string>
  readonly print: (line: string) => void
}

export async function fill({ calls, others, untilMs, execute, print }: FillOptions): Promise<void> {
  const total = calls + others
  let done = 0
  // These calls need no live feed.
  await execute('DETACH TABLE live_log_from_calls')
  for (const [project, count] of [
    [`'${READS_PROJECT}'`, calls],
    [`concat('other/project-', toString(n % ${OTHERS}))`, others],
  ] as const) {
    for (let first = 0; first < count; first += ROWS_PER_INSERT) {
      const rows = Math.min(ROWS_PER_INSERT, count - first)
      await execute(insertStatement(project, first, rows, count, untilMs))
      done += rows
      print(`filled ${done} of ${total} calls`)
    }
  }
  await execute('ATTACH TABLE live_log_from_calls')
  await execute(insertScores())
}

function insertScores(): string {
  return `INSERT INTO feedback (project_id, id, weave_ref, wb_user_id, created_at, feedback_type, payload,
  scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences, version)
SELECT project_id, concat('score-', id), concat('weave:///', project_id, '/call/', id), 'admin', started_at,
  if(sipHash64(id) % 2 = 0, 'wandb.annotation.helpful', 'wandb.reaction.1'),
  if(sipHash64(id) % 2 = 0, concat('{"value":', toString(sipHash64(id, 1) % 100 / 100), '}'), '{"emoji":"👍"}'),
  '{}', '{}', '{}', '{}', '{}', 1
FROM calls WHERE project_id = '${READS_PROJECT}' AND sipHash64(id, 2) % ${SCORED} = 0`
}

/** The call with this number, counted from the oldest. */
export function callId(n: number, count: number, untilMs: number): string {
  const time = Math.floor(startMs(n, count, untilMs))
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`
}

function startMs(n: number, count: number, untilMs: number): number {
  return untilMs - Math.floor(((count - 1 - n) * DAYS * 86_400_000) / count)
}

const WORDS =
  'the of and to model answer question data user token trace value result error prompt system agent tool search context'
/** Words of one page; every text is a substring of it, because choosing each word takes six times as long. */
const PAGE_WORDS = 200_000

function insertStatement(
  project: string,
  first: number,
  rows: number,
  count: number,
  untilMs: number,
): string {
  const models = MODELS.map((model) => `'${model}'`).join(', ')
  return `INSERT INTO calls (project_id, id, started_at, trace_id, parent_id, op_name, wb_user_id, attributes, inputs,
  ended_at, exception, output, summary, json_fields, usage, usage_extracted, field_model, field_provider,
  field_input_tokens, field_output_tokens, field_total_tokens, field_time_to_first_token, field_tags, field_end_user, field_session,
  field_environment, field_error_type, sent_by, start_version, end_version, version, inserted_at)
WITH
  (SELECT arrayStringConcat(arrayMap(i -> splitByChar(' ', '${WORDS}')[1 + sipHash64(i) % 20], range(${PAGE_WORDS})), ' ')) AS page,
  (seed, bytes) -> substring(page, 1 + sipHash64(n, seed) % (length(page) - bytes), bytes) AS prose,
  ${untilMs} - intDiv((${count} - 1 - n) * ${DAYS * 86_400_000}, ${count}) AS ms,
  lower(leftPad(hex(ms), 12, '0')) AS time,
  concat(substring(time, 1, 8), '-', substring(time, 9, 4), '-7000-8000-') AS prefix,
  ${count} - 1 - n AS age,
  multiIf(sipHash64(n, 1) % 1000 = 0, '${RARE_MODEL}', [${models}][1 + sipHash64(n, 2) % ${MODELS.length}]) AS model,
  10 + sipHash64(n, 3) % 2000 AS tokens,
  if(sipHash64(n, 11) % 1000 = 0, 'staging', 'production') AS environment,
  sipHash64(n, 12) % ${END_USERS} AS end_user,
  ['openai', 'anthropic', 'google'][1 + sipHash64(n, 13) % 3] AS provider,
  concat('tag-', toString(sipHash64(n, 14) % 1000)) AS tag,
  50 + sipHash64(n, 15) % 2000 AS ttft
SELECT ${project} AS project_id,
  concat(prefix, lower(leftPad(hex(n), 12, '0'))) AS id,
  fromUnixTimestamp64Milli(toInt64(ms), 'UTC') AS started_at,
  multiIf(age < ${TRACE_CALLS}, '${TRACE_ID}', age < ${TRACE_CALLS + LONG_TRACE_CALLS}, '${LONG_TRACE_ID}',
    concat('0190c5b0-0000-7000-9000-', lower(leftPad(hex(intDiv(n, 10)), 12, '0')))) AS trace_id,
  if(n % 10 = 0, '', concat('parent-', toString(intDiv(n, 10)))) AS parent_id,
  concat('weave:///${READS_PROJECT}/op/op_', toString(n % 20), ':8b3f9c1d7e5a4b2c6d8e9f0a1b2c3d4e5f6a7b8c9d0') AS op_name,
  concat('user-', toString(sipHash64(n, 4) % 50)) AS wb_user_id,
  concat('{"env":"', environment, '","customer":"customer-', toString(sipHash64(n, 5) % 1000), '","user_id":"end-user-', toString(end_user),
    '","session_id":"session-', toString(intDiv(n, 50)), '","provider":"', provider, '","tags":["', tag, '","all"]}') AS attributes,
  concat('{"model":"', model, '","temperature":0.7,"messages":[{"role":"user","content":"', prose(6, 400),
    if(sipHash64(n, 7) % 50000 = 0, ' ${RARE_WORD}', ''), '"}]}') AS inputs,
  addMilliseconds(started_at, 50 + sipHash64(n, 8) % 5000) AS ended_at,
  multiIf(sipHash64(n, 9) % 5000 = 0, 'TimeoutError: no answer in 30 s', sipHash64(n, 9) % 50 = 0, 'ValueError: no answer', NULL) AS exception,
  concat('{"choices":[{"message":{"role":"assistant","content":"', prose(10, 230), '"}}]}') AS output,
  concat('{"usage":{"', model, '":{"requests":1,"prompt_tokens":', toString(tokens), ',"completion_tokens":',
    toString(intDiv(tokens, 2)), ',"total_tokens":', toString(tokens + intDiv(tokens, 2)), '}},"ttft_ms":', toString(ttft), '}') AS summary,
  map('attributes', '.', 'attributes.env', concat('=', environment), 'attributes.user_id', concat('=end-user-', toString(end_user)),
    'attributes.session_id', concat('=session-', toString(intDiv(n, 50))), 'attributes.provider', concat('=', provider),
    'attributes.tags', '*', 'summary.ttft_ms', concat('=', toString(ttft)), 'attributes.customer', concat('=customer-', toString(sipHash64(n, 5) % 1000)),
    'inputs', '.', 'inputs.model', concat('=', model), 'inputs.temperature', '=0.7', 'inputs.messages', '*',
    'output', '.', 'output.choices', '*', 'summary', '.', 'summary.usage', '.', concat('summary.usage.', model), '.',
    concat('summary.usage.', model, '.requests'), '=1',
    concat('summary.usage.', model, '.prompt_tokens'), concat('=', toString(tokens)),
    concat('summary.usage.', model, '.completion_tokens'), concat('=', toString(intDiv(tokens, 2))),
    concat('summary.usage.', model, '.total_tokens'), concat('=', toString(tokens + intDiv(tokens, 2)))) AS json_fields,
  [(model, tokens, intDiv(tokens, 2), tokens + intDiv(tokens, 2), 0, 0, tokens, NULL)] AS usage, 1 AS usage_extracted,
  [model] AS field_model, provider AS field_provider, tokens AS field_input_tokens, intDiv(tokens, 2) AS field_output_tokens,
  tokens + intDiv(tokens, 2) AS field_total_tokens, ttft AS field_time_to_first_token, [tag, 'all'] AS field_tags,
  concat('end-user-', toString(end_user)) AS field_end_user, concat('session-', toString(intDiv(n, 50))) AS field_session,
  environment AS field_environment, extract(ifNull(exception, ''), '^[A-Za-z]+') AS field_error_type, wb_user_id AS sent_by,
  toUInt128(n + 1) AS start_version, start_version AS end_version, start_version AS version,
  ended_at AS inserted_at
FROM (SELECT number AS n FROM numbers(${first}, ${rows}))`
}
