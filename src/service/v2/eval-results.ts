import type { EvalResultsQuery, EvalRow } from '../../contract/v2/eval-results.ts'
import { inBatches } from '../../core/concurrency/batched-stream.ts'
import { EvalRowSelector, type SelectedRow, type TrialKeys } from '../../core/evaluations/eval-rows.ts'
import { trialOpNames } from '../../core/evaluations/evaluation-calls.ts'
import { stringValue } from '../../core/json/navigate.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { requestedPage } from '../../store/query/page.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { queryCalls } from './calls.ts'
import { resolveRows, rowDigest, trialExample } from './dataset-rows.ts'
import { readTrials, type ViewedTrial } from './eval-trials.ts'
import { summarizeEvaluations } from './evaluation-summaries.ts'

import type { V1Handlers } from './v1-handlers.ts'

/** Handler that compares evaluations row by row. */

/** Trials per batch when dataset rows are resolved. */
const TRIALS_PER_BATCH = 500

/**
 * It first reads every trial and keeps only the facts that select its row. Then it reads the trials of the page with
 * their payloads, and those of the summary in batches.
 */
export function evalResultsHandlers(deps: Deps, v1: V1Handlers): Pick<Handlers, 'eval_results_query'> {
  return {
    eval_results_query: async (request, caller) => {
      const roots = [
        ...new Set([...(request.evaluation_call_ids ?? []), ...(request.evaluation_run_ids ?? [])]),
      ]
      const selector = new EvalRowSelector(request)
      const page = requestedPage(request)
      const keys = roots.length === 0 ? [] : await readTrialKeys(deps, v1, request, roots, selector, caller)
      const selected = selector.rows(keys)
      const shown = request.require_intersection === true ? inEveryEvaluation(selected, roots) : selected
      const first = page.offset ?? 0
      const rows =
        request.include_rows === false
          ? []
          : shown.slice(first, page.limit === undefined ? undefined : first + page.limit)
      const summaryIsIntersected = request.summary_require_intersection ?? request.require_intersection
      const summarized = summaryIsIntersected === true ? inEveryEvaluation(selected, roots) : selected
      const views = await viewRows(deps, v1, request, roots, rows, caller)
      return {
        rows: views,
        total_rows: shown.length,
        summary:
          request.include_summary === true
            ? {
                row_count: summarized.length,
                evaluations: await summarizeEvaluations(v1, request, roots, summarized, caller),
              }
            : null,
        warnings: unresolvedWarnings(request, views),
      }
    },
  }
}

/** Returns the rows that occur in every evaluation. */
function inEveryEvaluation(rows: readonly SelectedRow[], roots: readonly string[]): SelectedRow[] {
  return rows.filter(
    ({ trials }) => new Set(trials.map((trial) => trial.evaluation_call_id)).size === roots.length,
  )
}

async function readTrialKeys(
  deps: Deps,
  v1: V1Handlers,
  { project_id }: EvalResultsQuery,
  roots: readonly string[],
  selector: EvalRowSelector,
  caller: Caller,
): Promise<TrialKeys[]> {
  const filter = { parent_ids: [...roots], op_names: trialOpNames(project_id) }
  const query = { project_id, filter, columns: ['parent_id', 'inputs', 'output'] }
  const keys: TrialKeys[] = []
  for await (const group of inBatches(queryCalls(v1, query, caller), TRIALS_PER_BATCH)) {
    const examples = group.map(trialExample)
    const resolved = selector.needsInputs ? await resolveRows(deps, project_id, examples) : examples
    for (const [i, trial] of group.entries()) {
      const evaluation_call_id = trial.parent_id ?? ''
      const row_digest = rowDigest(examples[i])
      const parts = { inputs: resolved[i], output: trial.output ?? undefined }
      keys.push(selector.extract({ id: trial.id, evaluation_call_id, row_digest, ...parts }))
    }
  }
  return keys
}

async function viewRows(
  deps: Deps,
  v1: V1Handlers,
  request: EvalResultsQuery,
  roots: readonly string[],
  rows: readonly SelectedRow[],
  caller: Caller,
): Promise<EvalRow[]> {
  const ids = rows.flatMap((row) => row.trials.map((trial) => trial.id))
  const trialsById = new Map<string, ViewedTrial>()
  for await (const each of readTrials(v1, request, ids, caller)) trialsById.set(each.trial.id, each)
  const examples = rows.map(({ trials }) => {
    const first = trialsById.get(trials[0]?.id ?? '')
    return request.include_raw_data_rows === true && first ? trialExample(first.trial) : undefined
  })
  const data =
    request.resolve_row_refs === true ? await resolveRows(deps, request.project_id, examples) : examples
  return rows.map(({ row_digest, trials }, i) => ({
    row_digest,
    raw_data_row: data[i] ?? null,
    evaluations: roots.flatMap((evaluation_call_id) => {
      const ownTrials = trials.filter((trial) => trial.evaluation_call_id === evaluation_call_id)
      if (ownTrials.length === 0) return []
      return [
        { evaluation_call_id, trials: ownTrials.flatMap((trial) => trialsById.get(trial.id)?.view ?? []) },
      ]
    }),
  }))
}

function unresolvedWarnings(request: EvalResultsQuery, rows: readonly EvalRow[]): string[] {
  if (request.resolve_row_refs !== true) return []
  const isRef = (row: EvalRow): boolean => {
    const text = row.raw_data_row === null ? undefined : stringValue(row.raw_data_row)
    return text !== undefined && parseRef(text) !== undefined
  }
  return rows.some(isRef)
    ? ['some dataset rows could not be read; raw_data_row contains their refs instead']
    : []
}
