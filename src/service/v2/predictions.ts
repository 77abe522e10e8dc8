import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Prediction } from '../../contract/v2/predictions.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import {
  TRIAL_OP,
  findPrediction,
  receiverRef,
  trialOpNames,
  weaveAttribute,
} from '../../core/evaluations/evaluation-calls.ts'
import { entries, find } from '../../core/json/navigate.ts'
import { buildObject } from '../../core/json/object.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { paginate, queryCalls, readCall, weaveFlagQuery } from './calls.ts'
import { RUN_KIND } from './evaluation-runs.ts'
import { opWithoutSource } from './source-code.ts'
import { findTrial, trialOutput, withChildren } from './trials.ts'
import type { V1Handlers } from './v1-handlers.ts'

type Operation =
  | 'prediction_create'
  | 'prediction_list'
  | 'prediction_read'
  | 'prediction_delete'
  | 'prediction_finish'

const NO_INPUTS = RawJson.fromText('{}')

/** Handlers for predictions, which are calls of a model's predict op. */
export function predictionsHandlers(deps: Deps, v1: V1Handlers): Pick<Handlers, Operation> {
  return {
    prediction_create: async (request, caller) => {
      const { project_id, model, inputs, output, evaluation_run_id } = request
      const id = deps.newId()
      const now = formatTime(deps.now())
      const trial =
        evaluation_run_id === null || evaluation_run_id === undefined
          ? undefined
          : await startTrial({ ...request, evaluation_run_id, prediction_id: id })
      const prediction = {
        project_id,
        id,
        trace_id: trial?.trace_id ?? id,
        parent_id: trial?.id,
        op_name: await opWithoutSource(v1, project_id, `${modelName(model)}.predict`, caller),
        started_at: now,
        ended_at: now,
        attributes: buildObject([
          ['weave', { prediction: 'true', model, ...(evaluation_run_id ? { evaluation_run_id } : {}) }],
        ]),
        inputs: buildObject([
          ['self', model],
          ['inputs', inputs],
        ]),
        output,
      }
      await v1.calls_complete({ ...splitProjectId(project_id), batch: [prediction] }, caller)
      return { prediction_id: id }

      /** Starts the trial: the call that groups a run's prediction with its scores. */
      async function startTrial(
        trialOf: typeof request & { evaluation_run_id: string; prediction_id: string },
      ) {
        const run = await readCall(v1, { project_id, id: trialOf.evaluation_run_id }, RUN_KIND, caller)
        const { genai_span_ref } = trialOf
        const weave = {
          predict_call_id: trialOf.prediction_id,
          ...(genai_span_ref ? { genai_span_ref } : {}),
        }
        const start = {
          project_id,
          id: deps.newId(),
          trace_id: run.trace_id,
          parent_id: run.id,
          op_name: await opWithoutSource(v1, project_id, TRIAL_OP, caller),
          started_at: now,
          attributes: RawJson.fromValue({ weave }),
          inputs: buildObject([
            ['self', receiverRef(run) ?? null],
            ['model', model],
            ['example', inputs],
          ]),
        }
        return v1.call_start({ start }, caller)
      }
    },

    prediction_list: async ({ project_id, evaluation_run_id, limit, offset }, caller) =>
      evaluation_run_id
        ? paginate(predictionsOfRun(v1, project_id, evaluation_run_id, caller), { limit, offset })
        : allPredictions(v1, { project_id, limit, offset }, caller),

    prediction_read: async ({ project_id, prediction_id: id }, caller) => {
      let trial: Call | undefined
      const matches = async (call: Call): Promise<boolean> => {
        trial = await findTrial(v1, call, caller)
        return isPrediction(call) || trial !== undefined
      }
      const call = await readCall(v1, { project_id, id }, { label: 'Prediction', matches }, caller)
      return viewPrediction(call, trial)
    },

    prediction_delete: async ({ project_id, prediction_ids }, caller) =>
      v1.calls_delete({ project_id, call_ids: prediction_ids }, caller),

    prediction_finish: async ({ project_id, prediction_id: id }, caller) => {
      const matches = (): boolean => true
      const call = await readCall(v1, { project_id, id }, { label: 'Prediction', matches }, caller)
      const ended_at = formatTime(deps.now())
      if (call.ended_at === null)
        await v1.call_end({ end: { project_id, id, ended_at, output: call.output } }, caller)
      const trial = await findTrial(v1, call, caller)
      if (trial !== undefined) {
        const output = await trialOutput(v1, trial, call, caller)
        await v1.call_end({ end: { project_id, id: trial.id, ended_at, output } }, caller)
      }
      return { success: true }
    },
  }
}

function isPrediction(call: Call): boolean {
  return weaveAttribute(call, 'prediction') === 'true'
}

function modelName(model: string): string {
  const ref = parseRef(model)
  return ref !== undefined && 'name' in ref ? ref.name : 'Model'
}

/** Lists the predictions below a run, recorded by an SDK or through the API. */
async function* predictionsOfRun(
  v1: V1Handlers,
  project_id: string,
  run_id: string,
  caller: Caller,
): AsyncGenerator<Prediction> {
  const filter = { parent_ids: [run_id], op_names: trialOpNames(project_id) }
  const trials = queryCalls(v1, { project_id, filter }, caller)
  for await (const { trial, children } of withChildren(v1, project_id, trials, caller)) {
    const prediction = findPrediction(trial, children)
    if (prediction !== undefined) yield viewPrediction(prediction, trial)
  }
}

/** Lists predictions of all runs: only calls marked as predictions. */
async function* allPredictions(
  v1: V1Handlers,
  page: { project_id: string; limit?: number | null | undefined; offset?: number | null | undefined },
  caller: Caller,
): AsyncGenerator<Prediction> {
  const query = weaveFlagQuery('prediction')
  for await (const call of queryCalls(v1, { ...page, query }, caller)) yield viewPrediction(call, undefined)
}

function viewPrediction(call: Call, trial: Call | undefined): Prediction {
  const inputs = isPrediction(call)
    ? find(call.inputs, 'inputs')
    : // An SDK records the model's inputs next to the model itself.
      buildObject(entries(call.inputs).filter(([key]) => key !== 'self' && key !== 'this'))
  return {
    prediction_id: call.id,
    model: weaveAttribute(call, 'model') ?? receiverRef(call) ?? call.op_name,
    inputs: inputs?.isObject === true ? inputs : NO_INPUTS,
    output: call.output,
    evaluation_run_id: weaveAttribute(call, 'evaluation_run_id') ?? trial?.parent_id ?? null,
    wb_user_id: call.wb_user_id,
  }
}
