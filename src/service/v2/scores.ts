import type { Call } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import type { Score } from '../../contract/v2/scores.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import {
  scorerRef,
  findScoreCalls,
  trialOpNames,
  weaveAttribute,
} from '../../core/evaluations/evaluation-calls.ts'
import { find } from '../../core/json/navigate.ts'
import { buildObject } from '../../core/json/object.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { findCall, paginate, queryCalls, readCall, weaveFlagQuery } from './calls.ts'
import { withChildren, findTrial } from './trials.ts'
import type { V1Handlers } from './v1-handlers.ts'

import { opWithoutSource } from './source-code.ts'

type Operation = 'score_create' | 'score_list' | 'score_read' | 'score_delete'

/** Handlers for scores, which are calls of a scorer with feedback on the prediction. */
export function scoresHandlers(deps: Deps, v1: V1Handlers): Pick<Handlers, Operation> {
  return {
    score_create: async (request, caller) => {
      const { project_id, prediction_id, scorer, value, evaluation_run_id } = request
      const name = scorerName(scorer)
      const prediction = await findCall(v1, project_id, prediction_id, caller)
      const id = deps.newId()
      const now = formatTime(deps.now())
      const parent = await findScoreParent(v1, project_id, evaluation_run_id ?? undefined, prediction, caller)
      const score = {
        project_id,
        id,
        trace_id: parent?.trace_id ?? id,
        parent_id: parent?.parent_id,
        op_name: await opWithoutSource(v1, project_id, `${name}.score`, caller),
        started_at: now,
        ended_at: now,
        attributes: buildObject([
          [
            'weave',
            { score: 'true', prediction_id, scorer, ...(evaluation_run_id ? { evaluation_run_id } : {}) },
          ],
        ]),
        inputs: buildObject([
          ['self', scorer],
          ['inputs', prediction === undefined ? {} : (find(prediction.inputs, 'inputs') ?? {})],
          ['output', prediction?.output ?? null],
        ]),
        output: value,
      }
      await v1.calls_complete({ ...splitProjectId(project_id), batch: [score] }, caller)
      // Feedback makes the score visible on the prediction.
      const callRef = (call_id: string): string =>
        formatRef({ kind: 'call', project_id, id: call_id, path: [] })
      const feedback = {
        project_id,
        weave_ref: callRef(prediction_id),
        feedback_type: `wandb.runnable.${name}`,
        payload: buildObject([['output', value]]),
        runnable_ref: scorer,
        call_ref: callRef(id),
      }
      await v1.feedback_create(feedback, caller)
      return { score_id: id }
    },

    score_list: async ({ project_id, evaluation_run_id, limit, offset }, caller) =>
      evaluation_run_id
        ? paginate(scoresOfRun(v1, project_id, evaluation_run_id, caller), { limit, offset })
        : allScores(v1, { project_id, limit, offset }, caller),

    score_read: async ({ project_id, score_id: id }, caller) => {
      let trial: Call | undefined
      const matches = async (call: Call): Promise<boolean> => {
        trial = await findTrial(v1, call, caller)
        return isScore(call) || (trial !== undefined && findScoreCalls(trial, [call]).length > 0)
      }
      const call = await readCall(v1, { project_id, id }, { label: 'Score', matches }, caller)
      return viewScore(call, trial?.parent_id)
    },

    score_delete: async ({ project_id, score_ids }, caller) =>
      v1.calls_delete({ project_id, call_ids: score_ids }, caller),
  }
}

function isScore(call: Call): boolean {
  return weaveAttribute(call, 'score') === 'true'
}

function scorerName(scorer: string): string {
  const ref = parseRef(scorer)
  if (ref === undefined || !('name' in ref))
    throw new ApiError('invalid_request', `"${scorer}" is not a scorer ref; pass the ref of an object or op`)
  return ref.name
}

/** Finds the parent of a score: the trial of its prediction, else the run, else none. */
async function findScoreParent(
  v1: V1Handlers,
  project_id: string,
  run_id: string | undefined,
  prediction: Call | undefined,
  caller: Caller,
): Promise<{ trace_id: string; parent_id: string } | undefined> {
  if (run_id === undefined) return undefined
  if (prediction !== undefined && prediction.parent_id !== null)
    return { trace_id: prediction.trace_id, parent_id: prediction.parent_id }
  const run = await findCall(v1, project_id, run_id, caller)
  return { trace_id: run?.trace_id ?? run_id, parent_id: run_id }
}

/** Lists the scores below a run, recorded by an SDK or through the API. */
async function* scoresOfRun(
  v1: V1Handlers,
  project_id: string,
  run_id: string,
  caller: Caller,
): AsyncGenerator<Score> {
  const filter = { parent_ids: [run_id] }
  const trials = queryCalls(
    v1,
    { project_id, filter: { ...filter, op_names: trialOpNames(project_id) } },
    caller,
  )
  for await (const { trial, children } of withChildren(v1, project_id, trials, caller)) {
    for (const call of findScoreCalls(trial, children)) yield viewScore(call, run_id)
  }
  const withoutPrediction = { project_id, filter, query: weaveFlagQuery('score') }
  for await (const call of queryCalls(v1, withoutPrediction, caller)) yield viewScore(call, run_id)
}

/** Lists scores of all runs: only calls marked as scores. */
async function* allScores(
  v1: V1Handlers,
  page: { project_id: string; limit?: number | null | undefined; offset?: number | null | undefined },
  caller: Caller,
): AsyncGenerator<Score> {
  const query = { ...page, query: weaveFlagQuery('score') }
  for await (const call of queryCalls(v1, query, caller)) yield viewScore(call, undefined)
}

function viewScore(call: Call, run_id: string | null | undefined): Score {
  return {
    score_id: call.id,
    scorer: scorerRef(call),
    value: call.output,
    evaluation_run_id: weaveAttribute(call, 'evaluation_run_id') ?? run_id ?? null,
    wb_user_id: call.wb_user_id,
  }
}
