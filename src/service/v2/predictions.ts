import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Prediction } from '../../contract/v2/predictions.ts'
import {
  isTrial,
  predictionOf,
  receiverOf,
  scorerOf,
  scoresOf,
  TRIAL_OP,
  trialOpNames,
  weaveText,
} from '../../core/evaluations/evaluation-calls.ts'
import { entries, find } from '../../core/json/navigate.ts'
import { objectOf } from '../../core/json/object.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { formatTime, parseTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { findCall, pageOf, queryCalls, readCall, withChildren } from './calls.ts'
import type { Classic } from './classic.ts'
import { partsOf, RUN } from './evaluation-runs.ts'
import { opWithoutSource } from './source-code.ts'

type Operation =
  | 'prediction_create'
  | 'prediction_list'
  | 'prediction_read'
  | 'prediction_delete'
  | 'prediction_finish'

const EMPTY = RawJson.fromText('{}')

export function predictionsHandlers(deps: Deps, classic: Classic): Pick<Handlers, Operation> {
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
        op_name: await opWithoutSource(classic, project_id, `${modelName(model)}.predict`, caller),
        started_at: now,
        ended_at: now,
        attributes: objectOf([
          ['weave', { prediction: 'true', model, ...(evaluation_run_id ? { evaluation_run_id } : {}) }],
        ]),
        inputs: objectOf([
          ['self', model],
          ['inputs', inputs],
        ]),
        output,
      }
      await classic.calls_complete({ ...partsOf(project_id), batch: [prediction] }, caller)
      return { prediction_id: id }

      /** The call that holds a prediction of a run and its scores together. */
      async function startTrial(of: typeof request & { evaluation_run_id: string; prediction_id: string }) {
        const run = await readCall(classic, { project_id, id: of.evaluation_run_id }, RUN, caller)
        const { genai_span_ref } = of
        const weave = { predict_call_id: of.prediction_id, ...(genai_span_ref ? { genai_span_ref } : {}) }
        const start = {
          project_id,
          id: deps.newId(),
          trace_id: run.trace_id,
          parent_id: run.id,
          op_name: await opWithoutSource(classic, project_id, TRIAL_OP, caller),
          started_at: now,
          attributes: RawJson.of({ weave }),
          inputs: objectOf([
            ['self', receiverOf(run) ?? null],
            ['model', model],
            ['example', inputs],
          ]),
        }
        return classic.call_start({ start }, caller)
      }
    },

    prediction_list: async ({ project_id, evaluation_run_id, limit, offset }, caller) =>
      evaluation_run_id
        ? pageOf(predictionsOfRun(classic, project_id, evaluation_run_id, caller), { limit, offset })
        : allPredictions(classic, { project_id, limit, offset }, caller),

    prediction_read: async ({ project_id, prediction_id: id }, caller) => {
      let trial: Call | undefined
      const isOne = async (call: Call): Promise<boolean> => {
        trial = await trialOf(classic, call, caller)
        return isPrediction(call) || trial !== undefined
      }
      const call = await readCall(classic, { project_id, id }, { word: 'Prediction', isOne }, caller)
      return view(call, trial)
    },

    prediction_delete: async ({ project_id, prediction_ids }, caller) =>
      classic.calls_delete({ project_id, call_ids: prediction_ids }, caller),

    prediction_finish: async ({ project_id, prediction_id: id }, caller) => {
      const isOne = (): boolean => true
      const call = await readCall(classic, { project_id, id }, { word: 'Prediction', isOne }, caller)
      const ended_at = formatTime(deps.now())
      if (call.ended_at === null)
        await classic.call_end({ end: { project_id, id, ended_at, output: call.output } }, caller)
      const trial = await trialOf(classic, call, caller)
      if (trial !== undefined) {
        const output = await trialOutput(classic, trial, call, caller)
        await classic.call_end({ end: { project_id, id: trial.id, ended_at, output } }, caller)
      }
      return { success: true }
    },
  }
}

function isPrediction(call: Call): boolean {
  return weaveText(call, 'prediction') === 'true'
}

function modelName(model: string): string {
  const ref = parseRef(model)
  return ref !== undefined && 'name' in ref ? ref.name : 'Model'
}

/** The trial that a call belongs to. */
export async function trialOf(classic: Classic, call: Call, caller: Caller): Promise<Call | undefined> {
  const parent = await findCall(classic, call.project_id, call.parent_id, caller)
  return parent !== undefined && isTrial(parent) ? parent : undefined
}

/** Whoever recorded them: found by where they stand. */
async function* predictionsOfRun(
  classic: Classic,
  project_id: string,
  run_id: string,
  caller: Caller,
): AsyncGenerator<Prediction> {
  const filter = { parent_ids: [run_id], op_names: trialOpNames(project_id) }
  const trials = queryCalls(classic, { project_id, filter }, caller)
  for await (const { trial, children } of withChildren(classic, project_id, trials, caller)) {
    const prediction = predictionOf(trial, children)
    if (prediction !== undefined) yield view(prediction, trial)
  }
}

/** Without a run to look below, those that were recorded as predictions. */
async function* allPredictions(
  classic: Classic,
  page: { project_id: string; limit?: number | null | undefined; offset?: number | null | undefined },
  caller: Caller,
): AsyncGenerator<Prediction> {
  const query = marked('prediction')
  for await (const call of queryCalls(classic, { ...page, query }, caller)) yield view(call, undefined)
}

/** Calls whose `attributes.weave` says that they are one of these. */
export function marked(key: 'prediction' | 'score'): RawJson {
  return RawJson.of({ $expr: { $eq: [{ $getField: `attributes.weave.${key}` }, { $literal: 'true' }] } })
}

function view(call: Call, trial: Call | undefined): Prediction {
  const inputs = isPrediction(call)
    ? find(call.inputs, 'inputs')
    : // An SDK's call has the inputs of the model beside the model.
      objectOf(entries(call.inputs).filter(([key]) => key !== 'self' && key !== 'this'))
  return {
    prediction_id: call.id,
    model: weaveText(call, 'model') ?? receiverOf(call) ?? call.op_name,
    inputs: inputs?.isObject === true ? inputs : EMPTY,
    output: call.output,
    evaluation_run_id: weaveText(call, 'evaluation_run_id') ?? trial?.parent_id ?? null,
    wb_user_id: call.wb_user_id,
  }
}

/** What a trial ends with, as the SDKs write it. */
async function trialOutput(
  classic: Classic,
  trial: Call,
  prediction: Call,
  caller: Caller,
): Promise<RawJson> {
  const { project_id } = trial
  const children: Call[] = []
  const filter = { parent_ids: [trial.id] }
  for await (const child of queryCalls(classic, { project_id, filter }, caller)) children.push(child)
  const scores = new Map<string, RawJson>()
  for (const call of scoresOf(trial, children)) {
    if (call.output !== null) scores.set(scorerName(scorerOf(call)), call.output)
  }
  return objectOf([
    ['output', prediction.output],
    ['scores', objectOf([...scores])],
    ['model_latency', latencyOf(prediction)],
  ])
}

function scorerName(scorer: string): string {
  const ref = parseRef(scorer)
  return ref !== undefined && 'name' in ref ? ref.name : scorer
}

function latencyOf(call: Call): { mean: number } | null {
  const seconds = secondsOf(call)
  return seconds === undefined ? null : { mean: seconds }
}

export function secondsOf(call: Call): number | undefined {
  const started = parseTime(call.started_at)
  const ended = call.ended_at === null ? undefined : parseTime(call.ended_at)
  return started === undefined || ended === undefined ? undefined : Number(ended - started) / 1e6
}
