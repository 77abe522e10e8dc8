import { hasException } from '../../core/calls/call-view.ts'
import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { EvaluationRun } from '../../contract/v2/evaluation-runs.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import {
  isRun,
  runRefs,
  RUN_OP,
  runOpNames,
  SUMMARIZE_OP,
  trialOpNames,
  weaveAttribute,
} from '../../core/evaluations/evaluation-calls.ts'
import { ScoreMeans } from '../../core/evaluations/score-means.ts'
import { buildObject } from '../../core/json/object.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { queryCalls, readCall } from './calls.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { opWithoutSource } from './source-code.ts'

/** Handlers for evaluation runs, which are calls of the evaluate op. */

type Operation =
  | 'evaluation_run_create'
  | 'evaluation_run_list'
  | 'evaluation_run_read'
  | 'evaluation_run_delete'
  | 'evaluation_run_finish'

/** Identifies calls that are evaluation runs. */
export const RUN_KIND = { label: 'Evaluation run', matches: isRun }

export function evaluationRunsHandlers(deps: Deps, v1: V1Handlers): Pick<Handlers, Operation> {
  return {
    evaluation_run_create: async (request, caller) => {
      const { project_id, evaluation, model, source_evaluation_run_id } = request
      const id = deps.newId()
      const weave = {
        evaluation_run: 'true',
        evaluation,
        model,
        ...(source_evaluation_run_id ? { source_evaluation_run_id } : {}),
      }
      const start = {
        project_id,
        id,
        trace_id: id,
        op_name: await opWithoutSource(v1, project_id, RUN_OP, caller),
        started_at: formatTime(deps.now()),
        attributes: RawJson.fromValue({ weave }),
        inputs: RawJson.fromValue({ self: evaluation, model }),
      }
      await v1.call_start({ start }, caller)
      return { evaluation_run_id: id }
    },

    evaluation_run_list: async (request, caller) => listRuns(v1, request, caller),

    evaluation_run_read: async ({ project_id, evaluation_run_id: id }, caller) =>
      viewRun(await readCall(v1, { project_id, id }, RUN_KIND, caller)),

    evaluation_run_delete: async ({ project_id, evaluation_run_ids }, caller) =>
      v1.calls_delete({ project_id, call_ids: evaluation_run_ids }, caller),

    evaluation_run_finish: async ({ project_id, evaluation_run_id: id, summary }, caller) => {
      const run = await readCall(v1, { project_id, id }, RUN_KIND, caller)
      const output = await meanScores(v1, run, caller)
      const now = formatTime(deps.now())
      const summarize = {
        project_id,
        // The id is fixed, so that a run that is finished twice has one summary.
        id: `${id}-summarize`,
        trace_id: run.trace_id,
        parent_id: id,
        op_name: SUMMARIZE_OP,
        started_at: now,
        ended_at: now,
        inputs: RawJson.fromValue({ self: runRefs(run).evaluation }),
        output,
      }
      await v1.calls_complete({ ...splitProjectId(project_id), batch: [summarize] }, caller)
      await v1.call_end({ end: { project_id, id, ended_at: now, output, summary } }, caller)
      return { success: true }
    },
  }
}

interface ListRequest {
  readonly project_id: string
  readonly evaluations?: string[] | null | undefined
  readonly evaluation_refs?: string[] | null | undefined
  readonly models?: string[] | null | undefined
  readonly model_refs?: string[] | null | undefined
  readonly evaluation_run_ids?: string[] | null | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/** Lists runs, including those that SDKs record: every run is a call of the same op with the same inputs. */
async function* listRuns(
  v1: V1Handlers,
  { project_id, limit, offset, ...request }: ListRequest,
  caller: Caller,
): AsyncGenerator<EvaluationRun> {
  const evaluations = [...(request.evaluations ?? []), ...(request.evaluation_refs ?? [])]
  const models = [...(request.models ?? []), ...(request.model_refs ?? [])]
  const conditions = [
    ...(evaluations.length === 0 ? [] : [anyFieldIn(['inputs.self', 'inputs.this'], evaluations)]),
    ...(models.length === 0 ? [] : [anyFieldIn(['inputs.model'], models)]),
  ]
  const query = {
    project_id,
    filter: { op_names: runOpNames(project_id), call_ids: request.evaluation_run_ids },
    ...(conditions.length === 0 ? {} : { query: RawJson.fromValue({ $expr: { $and: conditions } }) }),
    limit,
    offset,
  }
  for await (const call of queryCalls(v1, query, caller)) yield viewRun(call)
}

function anyFieldIn(fields: readonly string[], values: readonly string[]): object {
  const list = values.map((text) => ({ $literal: text }))
  return { $or: fields.map((field) => ({ $in: [{ $getField: field }, list] })) }
}

function viewRun(call: Call): EvaluationRun {
  return {
    evaluation_run_id: call.id,
    ...runRefs(call),
    status: call.ended_at === null ? 'running' : hasException(call.exception) ? 'failed' : 'completed',
    started_at: call.started_at,
    finished_at: call.ended_at,
    summary: call.summary,
    source_evaluation_run_id: weaveAttribute(call, 'source_evaluation_run_id') ?? null,
  }
}

/** The output of a run: means of the scores and outputs of its trials. */
async function meanScores(v1: V1Handlers, run: Call, caller: Caller): Promise<RawJson> {
  const { project_id } = run
  const filter = { parent_ids: [run.id], op_names: trialOpNames(project_id) }
  const means = new ScoreMeans()
  for await (const trial of queryCalls(v1, { project_id, filter, columns: ['output'] }, caller)) {
    if (trial.output !== null) means.add(trial.output)
  }
  return buildObject(means.entries())
}
