import type { Call } from '../../contract/calls/calls.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { EvalResultsQuery, EvalTrial } from '../../contract/v2/eval-results.ts'
import {
  findPrediction,
  scorerCallIds,
  trialScores,
  findScoreCalls,
} from '../../core/evaluations/evaluation-calls.ts'
import { tokensByModel, totalTokens } from '../../core/costs/usage.ts'
import { entries, find, items, numberValue, stringMember } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import { queryCalls } from './calls.ts'
import { type TrialWithChildren, withChildren, durationSeconds } from './trials.ts'
import type { V1Handlers } from './v1-handlers.ts'

/** Reads the trials of evaluations, with outputs, scores, latency, tokens and costs. */

/** Trials per batch: they are read with their payloads. */
const TRIALS_PER_BATCH = 250

export interface ViewedTrial {
  readonly trial: Call
  readonly view: EvalTrial
}

/** Streams trials with the results of their children. The order within a batch is not defined. */
export async function* readTrials(
  v1: V1Handlers,
  request: EvalResultsQuery,
  ids: readonly string[],
  caller: Caller,
): AsyncGenerator<ViewedTrial> {
  for (let at = 0; at < ids.length; at += TRIALS_PER_BATCH)
    yield* await readBatch(v1, request, ids.slice(at, at + TRIALS_PER_BATCH), caller)
}

async function readBatch(
  v1: V1Handlers,
  request: EvalResultsQuery,
  ids: readonly string[],
  caller: Caller,
): Promise<ViewedTrial[]> {
  const { project_id } = request
  const calls = queryCalls(v1, { project_id, filter: { call_ids: [...ids] } }, caller)
  const trials: TrialWithChildren[] = []
  if (request.include_predict_and_score_children === false) {
    for await (const trial of calls) trials.push({ trial, children: [] })
  } else {
    for await (const each of withChildren(v1, project_id, calls, caller)) trials.push(each)
  }
  const predictions = trials.flatMap(({ trial, children }) => findPrediction(trial, children)?.id ?? [])
  const costs =
    request.include_costs === true ? await findTotalCosts(v1, project_id, predictions, caller) : undefined
  return trials.map(({ trial, children }) => ({ trial, view: viewTrial(trial, children, costs) }))
}

function viewTrial(
  trial: Call,
  children: readonly Call[],
  costs: ReadonlyMap<string, number> | undefined,
): EvalTrial {
  const prediction = findPrediction(trial, children)
  return {
    predict_and_score_call_id: trial.id,
    predict_call_id: prediction?.id ?? null,
    model_output: (trial.output === null ? undefined : find(trial.output, 'output')) ?? null,
    scores: trialScores(trial),
    // As the SDK measured it: its summary of the run averages these.
    model_latency_seconds:
      recordedLatency(trial) ?? (prediction ? durationSeconds(prediction) : null) ?? null,
    total_tokens: recordedTokens(prediction ?? trial),
    total_cost: prediction === undefined ? null : (costs?.get(prediction.id) ?? null),
    scorer_call_ids: scorerCallIds(trial, findScoreCalls(trial, children)),
    genai_span_ref: genaiSpanRefs(prediction === undefined ? [trial] : [prediction, trial]),
  }
}

function recordedLatency({ output }: Call): number | null {
  const latency = output === null ? undefined : find(output, 'model_latency')
  if (latency === undefined) return null
  const mean = find(latency, 'mean')
  return numberValue(latency) ?? (mean === undefined ? undefined : numberValue(mean)) ?? null
}

/** Total tokens of a call; null, not 0, if no usage was recorded. */
function recordedTokens({ summary }: Call): number | null {
  const usage = [...tokensByModel(summary === null ? undefined : find(summary, 'usage')).values()]
  return usage.length === 0 ? null : Number(usage.reduce((sum, tokens) => sum + totalTokens(tokens), 0n))
}

const COST_FIELDS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]

/** Total cost by call id, for the calls that have a price. */
async function findTotalCosts(
  v1: V1Handlers,
  project_id: string,
  call_ids: string[],
  caller: Caller,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  if (call_ids.length === 0) return found
  const query = { project_id, filter: { call_ids }, columns: ['id'], include_costs: true }
  for await (const call of queryCalls(v1, query, caller)) {
    const weave = call.summary === null ? undefined : find(call.summary, 'weave')
    const costs = weave === undefined ? undefined : find(weave, 'costs')
    const parts = (costs === undefined ? [] : entries(costs)).flatMap(([, cost]) => costParts(cost))
    if (parts.length > 0)
      found.set(
        call.id,
        parts.reduce((sum, part) => sum + part, 0),
      )
  }
  return found
}

function costParts(cost: RawJson): number[] {
  return COST_FIELDS.flatMap((name) => {
    const part = find(cost, name)
    return (part === undefined ? undefined : numberValue(part)) ?? []
  })
}

/** Distinct GenAI spans that the calls refer to. */
function genaiSpanRefs(calls: readonly Call[]): EvalTrial['genai_span_ref'] {
  const found = new Map<string, { trace_id: string; span_id: string }>()
  for (const payload of calls.flatMap((call) => [call.attributes, call.summary])) {
    const weave = payload === null ? undefined : find(payload, 'weave')
    const refs = weave === undefined ? undefined : find(weave, 'genai_span_ref')
    for (const ref of refs === undefined ? [] : items(refs)) {
      const trace_id = stringMember(ref, 'trace_id')
      const span_id = stringMember(ref, 'span_id')
      if (trace_id !== undefined && span_id !== undefined)
        found.set(`${trace_id} ${span_id}`, { trace_id, span_id })
    }
  }
  return found.size === 0 ? null : [...found.values()]
}
