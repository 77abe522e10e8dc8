import { api } from '../api/client.ts'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { cellOf, type MatrixRow, type MatrixTrial } from './matrix.ts'
import { trialScores } from './trial-scores.ts'

type Answer = BrowserAnswer<'eval_results_query'>
type AnsweredTrial = Answer['rows'][number]['evaluations'][number]['trials'][number]

/** Of outputs and examples so much is kept: what is more can be seen in the call itself. */
const SHOWN_CHARACTERS = 1500
const PAGE_ROWS = 250
/** More examples are not laid out. */
export const MOST_ROWS = 10_000

export interface ResultsPage {
  readonly rows: readonly MatrixRow[]
  readonly total: number
  readonly warnings: readonly string[]
  /** null for the last page. */
  readonly next: number | null
}

/** Examples with what each run made of them, from a place on. */
export async function readResults(
  project: Project,
  runIds: readonly string[],
  offset: number,
  signal: AbortSignal,
): Promise<ResultsPage> {
  const answer = await api.call(
    'eval_results_query',
    {
      ...inPath(project),
      evaluation_call_ids: [...runIds],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      include_costs: true,
      limit: PAGE_ROWS,
      offset,
    },
    signal,
  )
  const end = offset + answer.rows.length
  return {
    rows: answer.rows.map((row, i) => rowOf(row, offset + i, runIds)),
    total: answer.total_rows,
    warnings: answer.warnings,
    next: answer.rows.length === 0 || end >= Math.min(answer.total_rows, MOST_ROWS) ? null : end,
  }
}

function rowOf(row: Answer['rows'][number], index: number, runIds: readonly string[]): MatrixRow {
  const byRun = new Map(row.evaluations.map((each) => [each.evaluation_call_id, each.trials]))
  return {
    digest: row.row_digest,
    index,
    inputText: row.raw_data_row?.text.slice(0, SHOWN_CHARACTERS) ?? '',
    cells: runIds.map((id) => {
      const trials = byRun.get(id)
      return trials === undefined || trials.length === 0 ? undefined : cellOf(trials.map(trialOf))
    }),
  }
}

function trialOf(trial: AnsweredTrial): MatrixTrial {
  const output = trial.model_output?.text ?? ''
  return {
    callId: trial.predict_and_score_call_id,
    outputText: output.slice(0, SHOWN_CHARACTERS),
    outputKey: output.length <= SHOWN_CHARACTERS ? output : `${output.length} ${hash(output)}`,
    scores: trialScores(trial.scores.text),
    latencyMs: trial.model_latency_seconds === null ? undefined : trial.model_latency_seconds * 1000,
    tokens: trial.total_tokens ?? undefined,
    cost: trial.total_cost ?? undefined,
  }
}

/** FNV-1a: enough to tell two outputs of the same length apart. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
