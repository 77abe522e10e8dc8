import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { EvaluationRun } from '../../contract/v2/evaluation-runs.ts'
import {
  isRun,
  partsOfRun,
  RUN_OP,
  runOpNames,
  SUMMARIZE_OP,
  trialOpNames,
  weaveText,
} from '../../core/evaluations/evaluation-calls.ts'
import { ScoreMeans } from '../../core/evaluations/score-means.ts'
import { objectOf } from '../../core/json/object.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { queryCalls, readCall } from './calls.ts'
import type { Classic } from './classic.ts'
import { opWithoutSource } from './source-code.ts'

type Operation =
  | 'evaluation_run_create'
  | 'evaluation_run_list'
  | 'evaluation_run_read'
  | 'evaluation_run_delete'
  | 'evaluation_run_finish'

export const RUN = { word: 'Evaluation run', isOne: isRun }

export function evaluationRunsHandlers(deps: Deps, classic: Classic): Pick<Handlers, Operation> {
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
        op_name: await opWithoutSource(classic, project_id, RUN_OP, caller),
        started_at: formatTime(deps.now()),
        attributes: RawJson.of({ weave }),
        inputs: RawJson.of({ self: evaluation, model }),
      }
      await classic.call_start({ start }, caller)
      return { evaluation_run_id: id }
    },

    evaluation_run_list: async (request, caller) => listRuns(classic, request, caller),

    evaluation_run_read: async ({ project_id, evaluation_run_id: id }, caller) =>
      view(await readCall(classic, { project_id, id }, RUN, caller)),

    evaluation_run_delete: async ({ project_id, evaluation_run_ids }, caller) =>
      classic.calls_delete({ project_id, call_ids: evaluation_run_ids }, caller),

    evaluation_run_finish: async ({ project_id, evaluation_run_id: id, summary }, caller) => {
      const run = await readCall(classic, { project_id, id }, RUN, caller)
      const output = await outputOf(classic, run, caller)
      const now = formatTime(deps.now())
      const summarize = {
        project_id,
        // The same at each try, so that a run that is finished twice is summed up once.
        id: `${id}-summarize`,
        trace_id: run.trace_id,
        parent_id: id,
        op_name: SUMMARIZE_OP,
        started_at: now,
        ended_at: now,
        inputs: RawJson.of({ self: partsOfRun(run).evaluation }),
        output,
      }
      await classic.calls_complete({ ...partsOf(project_id), batch: [summarize] }, caller)
      await classic.call_end({ end: { project_id, id, ended_at: now, output, summary } }, caller)
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

/** Also those that SDKs record: every run is a call of the same op with the same inputs. */
async function* listRuns(
  classic: Classic,
  { project_id, limit, offset, ...request }: ListRequest,
  caller: Caller,
): AsyncGenerator<EvaluationRun> {
  const evaluations = [...(request.evaluations ?? []), ...(request.evaluation_refs ?? [])]
  const models = [...(request.models ?? []), ...(request.model_refs ?? [])]
  const conditions = [
    ...(evaluations.length === 0 ? [] : [anyOf(['inputs.self', 'inputs.this'], evaluations)]),
    ...(models.length === 0 ? [] : [anyOf(['inputs.model'], models)]),
  ]
  const query = {
    project_id,
    filter: { op_names: runOpNames(project_id), call_ids: request.evaluation_run_ids },
    ...(conditions.length === 0 ? {} : { query: RawJson.of({ $expr: { $and: conditions } }) }),
    limit,
    offset,
  }
  for await (const call of queryCalls(classic, query, caller)) yield view(call)
}

function anyOf(fields: readonly string[], texts: readonly string[]): object {
  const list = texts.map((text) => ({ $literal: text }))
  return { $or: fields.map((field) => ({ $in: [{ $getField: field }, list] })) }
}

function view(call: Call): EvaluationRun {
  return {
    evaluation_run_id: call.id,
    ...partsOfRun(call),
    status: call.ended_at === null ? 'running' : call.exception === null ? 'completed' : 'failed',
    started_at: call.started_at,
    finished_at: call.ended_at,
    summary: call.summary,
    source_evaluation_run_id: weaveText(call, 'source_evaluation_run_id') ?? null,
  }
}

/** What a run comes to: the means of the scores and of the outputs of its trials. */
async function outputOf(classic: Classic, run: Call, caller: Caller): Promise<RawJson> {
  const { project_id } = run
  const filter = { parent_ids: [run.id], op_names: trialOpNames(project_id) }
  const means = new ScoreMeans()
  for await (const trial of queryCalls(classic, { project_id, filter, columns: ['output'] }, caller)) {
    if (trial.output !== null) means.add(trial.output)
  }
  return objectOf(means.entries())
}

export function partsOf(project_id: string): { entity: string; project: string } {
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project }
}
