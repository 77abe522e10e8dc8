import type { EvalResultsQuery, EvalSummary } from '../../contract/v2/eval-results.ts'
import type { SelectedRow } from '../../core/evaluations/eval-rows.ts'
import { type EvalRunInfo, EvalSummaryBuilder } from '../../core/evaluations/eval-summary.ts'
import { runRefs } from '../../core/evaluations/evaluation-calls.ts'
import type { Caller } from '../deps.ts'
import { queryCalls } from './calls.ts'
import { readTrials } from './eval-trials.ts'

import type { V1Handlers } from './v1-handlers.ts'

/** Summarizes each evaluation over the trials of the selected rows. */
export async function summarizeEvaluations(
  v1: V1Handlers,
  request: EvalResultsQuery,
  roots: readonly string[],
  rows: readonly SelectedRow[],
  caller: Caller,
): Promise<EvalSummary[]> {
  const evaluations = new Map(
    rows.flatMap((row) => row.trials.map((trial) => [trial.id, trial.evaluation_call_id])),
  )
  const builders = new Map<string, EvalSummaryBuilder>()
  for await (const { trial, view } of readTrials(v1, request, [...evaluations.keys()], caller)) {
    const id = evaluations.get(trial.id) ?? ''
    const builder = builders.get(id) ?? new EvalSummaryBuilder(id)
    builders.set(id, builder)
    builder.add(view)
  }
  const runs = await findRuns(v1, request.project_id, roots, caller)
  return roots.flatMap((id) => builders.get(id)?.summary(runs.get(id) ?? UNKNOWN_RUN) ?? [])
}

const UNKNOWN_RUN: EvalRunInfo = {
  evaluation_ref: null,
  model_ref: null,
  display_name: null,
  trace_id: null,
  started_at: null,
}

async function findRuns(
  v1: V1Handlers,
  project_id: string,
  roots: readonly string[],
  caller: Caller,
): Promise<Map<string, EvalRunInfo>> {
  const found = new Map<string, EvalRunInfo>()
  const query = {
    project_id,
    filter: { call_ids: [...roots] },
    columns: ['inputs', 'attributes', 'display_name'],
  }
  for await (const call of queryCalls(v1, query, caller)) {
    const { evaluation, model } = runRefs(call)
    const { display_name, trace_id, started_at } = call
    found.set(call.id, {
      evaluation_ref: evaluation || null,
      model_ref: model || null,
      display_name,
      trace_id,
      started_at,
    })
  }
  return found
}
