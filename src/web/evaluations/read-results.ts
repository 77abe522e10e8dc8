import { api } from '../api/client.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { exceptionLine } from '../call/exception.ts'
import { exampleFields } from './example-fields.ts'
import { createCell, type MatrixRow, type MatrixTrial } from './matrix.ts'
import { trialScores } from './trial-scores.ts'

type ResultsResponse = BrowserResponse<'eval_results_query'>
type ApiTrial = ResultsResponse['rows'][number]['evaluations'][number]['trials'][number]

/** Characters of each output and example that are kept. The call has the full text. */
const PREVIEW_CHARACTERS = 1500
const PAGE_SIZE = 250
/** Maximum examples shown. */
export const MAX_ROWS = 10_000

export interface ResultsPage {
  readonly rows: readonly MatrixRow[]
  readonly total: number
  readonly warnings: readonly string[]
  /** null for the last page. */
  readonly next: number | null
}

/** Reads one page of examples with the results of each run. */
export async function readResults(
  project: Project,
  runIds: readonly string[],
  offset: number,
  signal: AbortSignal,
): Promise<ResultsPage> {
  const response = await api.call(
    'eval_results_query',
    {
      ...projectParams(project),
      evaluation_call_ids: [...runIds],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      include_costs: true,
      limit: PAGE_SIZE,
      offset,
    },
    signal,
  )
  const end = offset + response.rows.length
  const trials = response.rows.flatMap(({ evaluations }) => evaluations.flatMap((each) => each.trials))
  const calls = await readTrialCalls(project, trials, signal)
  return {
    rows: response.rows.map((row, i) => toMatrixRow(row, offset + i, runIds, calls)),
    total: response.total_rows,
    warnings: response.warnings,
    next: response.rows.length === 0 || end >= Math.min(response.total_rows, MAX_ROWS) ? null : end,
  }
}

/** Calls by id. */
type TrialCalls = ReadonlyMap<string, CallListItem>

/** Calls per request, the limit of the API. */
const CALLS_PER_REQUEST = 1000

/**
 * Reads the calls of trials, whose usage includes that of the scorers, and the calls of models without an output, which
 * have the exception.
 */
async function readTrialCalls(
  project: Project,
  trials: readonly ApiTrial[],
  signal: AbortSignal,
): Promise<TrialCalls> {
  const ids = trials.flatMap((trial) => [
    trial.predict_and_score_call_id,
    ...(hasOutput(trial) || trial.predict_call_id === null ? [] : [trial.predict_call_id]),
  ])
  const found = new Map<string, CallListItem>()
  for (let at = 0; at < ids.length; at += CALLS_PER_REQUEST) {
    const call_ids = ids.slice(at, at + CALLS_PER_REQUEST)
    const { calls } = await api.call(
      'project_calls',
      {
        ...projectParams(project),
        columns: CALL_LIST_COLUMNS,
        include_costs: true,
        filter: { call_ids },
        limit: call_ids.length,
      },
      signal,
    )
    for (const call of calls) found.set(call.id, toCallListItem(call))
  }
  return found
}

function hasOutput({ model_output }: ApiTrial): boolean {
  return model_output !== null && model_output.text !== 'null'
}

function toMatrixRow(
  row: ResultsResponse['rows'][number],
  index: number,
  runIds: readonly string[],
  calls: TrialCalls,
): MatrixRow {
  const byRun = new Map(row.evaluations.map((each) => [each.evaluation_call_id, each.trials]))
  return {
    digest: row.row_digest,
    index,
    inputText: row.raw_data_row?.text.slice(0, PREVIEW_CHARACTERS) ?? '',
    fields: exampleFields(row.raw_data_row?.text ?? ''),
    cells: runIds.map((id) => {
      const trials = byRun.get(id)
      return trials === undefined || trials.length === 0
        ? undefined
        : createCell(trials.map((trial) => toMatrixTrial(trial, calls)))
    }),
  }
}

function toMatrixTrial(trial: ApiTrial, calls: TrialCalls): MatrixTrial {
  const output = hasOutput(trial) ? (trial.model_output?.text ?? '') : ''
  const call = calls.get(trial.predict_and_score_call_id)
  const prediction = trial.predict_call_id === null ? undefined : calls.get(trial.predict_call_id)
  const exception = call?.exception ?? prediction?.exception
  return {
    callId: trial.predict_and_score_call_id,
    outputText: output.slice(0, PREVIEW_CHARACTERS),
    outputKey: output.length <= PREVIEW_CHARACTERS ? output : `${output.length} ${hash(output)}`,
    scores: trialScores(trial.scores.text),
    latencyMs: trial.model_latency_seconds === null ? undefined : trial.model_latency_seconds * 1000,
    error: typeof exception === 'string' ? exceptionLine(exception) : undefined,
    tokens: call?.tokens?.total ?? trial.total_tokens ?? undefined,
    cost: call?.cost ?? trial.total_cost ?? undefined,
    isPartialCost: (call?.unpriced.length ?? 0) > 0,
  }
}

/** FNV-1a; sufficient to distinguish outputs of equal length. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
