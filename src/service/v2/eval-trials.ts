import type { Call } from '../../contract/calls/calls.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { EvalResultsQuery, EvalTrial } from '../../contract/v2/eval-results.ts'
import { predictionOf, scorerCallIds, scoresIn, scoresOf } from '../../core/evaluations/evaluation-calls.ts'
import { entries, find, items, numberOf, textAt } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import { queryCalls, type Trial, withChildren } from './calls.ts'
import type { Classic } from './classic.ts'
import { secondsOf } from './predictions.ts'

/** Trials, with what their children say of them. In no order. */
export async function readTrials(
  classic: Classic,
  request: EvalResultsQuery,
  ids: readonly string[],
  caller: Caller,
): Promise<{ readonly trial: Call; readonly view: EvalTrial }[]> {
  const { project_id } = request
  const calls = queryCalls(classic, { project_id, filter: { call_ids: [...ids] } }, caller)
  const trials: Trial[] = []
  if (request.include_predict_and_score_children === false) {
    for await (const trial of calls) trials.push({ trial, children: [] })
  } else {
    for await (const each of withChildren(classic, project_id, calls, caller)) trials.push(each)
  }
  const predictions = trials.flatMap(({ trial, children }) => predictionOf(trial, children)?.id ?? [])
  const costs =
    request.include_costs === true ? await costsOf(classic, project_id, predictions, caller) : undefined
  return trials.map(({ trial, children }) => ({ trial, view: viewTrial(trial, children, costs) }))
}

function viewTrial(
  trial: Call,
  children: readonly Call[],
  costs: ReadonlyMap<string, number> | undefined,
): EvalTrial {
  const prediction = predictionOf(trial, children)
  return {
    predict_and_score_call_id: trial.id,
    predict_call_id: prediction?.id ?? null,
    model_output: (trial.output === null ? undefined : find(trial.output, 'output')) ?? null,
    scores: scoresIn(trial),
    model_latency_seconds: (prediction ? secondsOf(prediction) : undefined) ?? recordedLatency(trial),
    total_tokens: tokensOf(prediction ?? trial),
    total_cost: prediction === undefined ? null : (costs?.get(prediction.id) ?? null),
    scorer_call_ids: scorerCallIds(trial, scoresOf(trial, children)),
    genai_span_ref: spansOf(prediction === undefined ? [trial] : [prediction, trial]),
  }
}

function recordedLatency({ output }: Call): number | null {
  const latency = output === null ? undefined : find(output, 'model_latency')
  const mean = latency === undefined ? undefined : find(latency, 'mean')
  return (mean === undefined ? undefined : numberOf(mean)) ?? null
}

/** null if nothing is said about tokens: that is not 0. */
function tokensOf({ summary }: Call): number | null {
  const usage = summary === null ? undefined : find(summary, 'usage')
  const counts = (usage === undefined ? [] : entries(usage)).flatMap(([, model]) => {
    const total = find(model, 'total_tokens')
    return (total === undefined ? undefined : numberOf(total)) ?? []
  })
  return counts.length === 0 ? null : Math.trunc(counts.reduce((sum, count) => sum + count, 0))
}

const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]

/** Of the calls that have a price. */
async function costsOf(
  classic: Classic,
  project_id: string,
  call_ids: string[],
  caller: Caller,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  if (call_ids.length === 0) return found
  const query = { project_id, filter: { call_ids }, columns: ['id'], include_costs: true }
  for await (const call of queryCalls(classic, query, caller)) {
    const weave = call.summary === null ? undefined : find(call.summary, 'weave')
    const costs = weave === undefined ? undefined : find(weave, 'costs')
    const parts = (costs === undefined ? [] : entries(costs)).flatMap(([, cost]) => partsOfCost(cost))
    if (parts.length > 0)
      found.set(
        call.id,
        parts.reduce((sum, part) => sum + part, 0),
      )
  }
  return found
}

function partsOfCost(cost: RawJson): number[] {
  return COSTS.flatMap((name) => {
    const part = find(cost, name)
    return (part === undefined ? undefined : numberOf(part)) ?? []
  })
}

/** Spans that the calls say belong to them, each once. */
function spansOf(calls: readonly Call[]): EvalTrial['genai_span_ref'] {
  const found = new Map<string, { trace_id: string; span_id: string }>()
  for (const place of calls.flatMap((call) => [call.attributes, call.summary])) {
    const weave = place === null ? undefined : find(place, 'weave')
    const refs = weave === undefined ? undefined : find(weave, 'genai_span_ref')
    for (const ref of refs === undefined ? [] : items(refs)) {
      const trace_id = textAt(ref, 'trace_id')
      const span_id = textAt(ref, 'span_id')
      if (trace_id !== undefined && span_id !== undefined)
        found.set(`${trace_id} ${span_id}`, { trace_id, span_id })
    }
  }
  return found.size === 0 ? null : [...found.values()]
}
