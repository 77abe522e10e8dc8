import { api } from '../api/client.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { projectParams, type Project } from '../api/project.ts'
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
  return {
    rows: response.rows.map((row, i) => toMatrixRow(row, offset + i, runIds)),
    total: response.total_rows,
    warnings: response.warnings,
    next: response.rows.length === 0 || end >= Math.min(response.total_rows, MAX_ROWS) ? null : end,
  }
}

function toMatrixRow(
  row: ResultsResponse['rows'][number],
  index: number,
  runIds: readonly string[],
): MatrixRow {
  const byRun = new Map(row.evaluations.map((each) => [each.evaluation_call_id, each.trials]))
  return {
    digest: row.row_digest,
    index,
    inputText: row.raw_data_row?.text.slice(0, PREVIEW_CHARACTERS) ?? '',
    cells: runIds.map((id) => {
      const trials = byRun.get(id)
      return trials === undefined || trials.length === 0 ? undefined : createCell(trials.map(toMatrixTrial))
    }),
  }
}

function toMatrixTrial(trial: ApiTrial): MatrixTrial {
  const output = trial.model_output?.text ?? ''
  return {
    callId: trial.predict_and_score_call_id,
    outputText: output.slice(0, PREVIEW_CHARACTERS),
    outputKey: output.length <= PREVIEW_CHARACTERS ? output : `${output.length} ${hash(output)}`,
    scores: trialScores(trial.scores.text),
    latencyMs: trial.model_latency_seconds === null ? undefined : trial.model_latency_seconds * 1000,
    tokens: trial.total_tokens ?? undefined,
    cost: trial.total_cost ?? undefined,
  }
}

/** FNV-1a; sufficient to distinguish outputs of equal length. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
