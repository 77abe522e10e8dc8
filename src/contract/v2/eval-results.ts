import { z } from 'zod'
import { limit, offset, sortDirection, withDirection } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { EVALUATION_FIELDS, evaluationQuery, fieldName } from '../query.ts'
import { rawJson } from '../raw-json.ts'
import { genaiSpanRef } from './predictions.ts'

/** Results of several evaluations, joined by dataset row. */

const flag = z.boolean().nullish()
const ids = z.array(z.string()).nullish()
const evaluation_call_id = z.string().nullish()

/** Fields are `scores.<name>…`, `inputs.<path>` and `output.<path>`. */
const sortTerm = z.object({
  field: fieldName({ ...EVALUATION_FIELDS, columns: [] }),
  ...sortDirection,
  evaluation_call_id: evaluation_call_id.meta({ description: 'Sort by the value in this evaluation only.' }),
  mode: z
    .enum(['value', 'difference'])
    .nullish()
    .meta({ description: '`difference`: sort by the spread between the evaluations.' }),
})

const filter = z.object({
  evaluation_call_id: evaluation_call_id.meta({ description: 'Match the values of this evaluation only.' }),
  query: evaluationQuery.nullable(),
})

const request = projectRequest({
  evaluation_call_ids: ids,
  evaluation_run_ids: ids.meta({ description: 'Additional evaluations, by evaluation run id.' }),
  require_intersection: flag.meta({ description: 'Only rows that occur in all evaluations.' }),
  include_raw_data_rows: flag,
  resolve_row_refs: flag.meta({ description: 'Return dataset rows instead of their refs.' }),
  include_rows: flag.meta({ description: 'Default true.' }),
  include_summary: flag,
  summary_require_intersection: flag.meta({ description: 'Default: the value of `require_intersection`.' }),
  include_predict_and_score_children: flag.meta({ description: 'Default true.' }),
  include_costs: flag,
  sort_by: z.array(sortTerm.transform(withDirection)).nullish(),
  filters: z.array(filter).nullish(),
  filter_logic_operator: z.enum(['and', 'or']).nullish(),
  limit,
  offset,
})

export type EvalResultsQuery = z.output<typeof request>

const trial = z.object({
  predict_and_score_call_id: z.string(),
  predict_call_id: z.string().nullable(),
  model_output: rawJson.nullable(),
  scores: rawJson,
  model_latency_seconds: z.number().nullable(),
  total_tokens: z.int().nullable(),
  total_cost: z.number().nullable(),
  scorer_call_ids: z.record(z.string(), z.string()),
  genai_span_ref: z.array(genaiSpanRef).nullable(),
})

const rowEvaluation = z.object({ evaluation_call_id: z.string(), trials: z.array(trial) })

const row = z.object({
  row_digest: z.string(),
  raw_data_row: rawJson.nullable(),
  evaluations: z.array(rowEvaluation),
})

/** Statistics of one leaf value of a scorer's output. */
const scorerStats = z.object({
  scorer_key: z.string(),
  path: z.string().nullable(),
  value_type: z.enum(['binary', 'continuous', 'text']),
  trial_count: z.int(),
  numeric_count: z.int(),
  numeric_mean: z.number().nullable(),
  pass_true_count: z.int(),
  pass_known_count: z.int(),
  pass_rate: z.number().nullable(),
  pass_signal_coverage: z.number().nullable(),
})

const evaluationSummary = z.object({
  evaluation_call_id: z.string(),
  trial_count: z.int(),
  scorer_stats: z.array(scorerStats),
  predict_total_tokens: z.int().nullable(),
  predict_total_cost: z.number().nullable(),
  evaluation_ref: z.string().nullable(),
  model_ref: z.string().nullable(),
  display_name: z.string().nullable(),
  trace_id: z.string().nullable(),
  started_at: z.string().nullable(),
})

export type EvalTrial = z.output<typeof trial>
export type EvalRow = z.output<typeof row>
export type EvalScorerStats = z.output<typeof scorerStats>
export type EvalSummary = z.output<typeof evaluationSummary>

export const evalResultsOperations = {
  eval_results_query: operation({
    path: '/v2/{entity}/{project}/eval_results/query',
    summary: 'Compare the results of evaluations row by row.',
    access: 'read',
    request,
    response: z.object({
      rows: z.array(row),
      total_rows: z.int(),
      summary: z.object({ row_count: z.int(), evaluations: z.array(evaluationSummary) }).nullable(),
      warnings: z.array(z.string()),
    }),
  }),
}
