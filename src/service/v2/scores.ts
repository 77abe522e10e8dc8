import type { Call } from '../../contract/calls/calls.ts'
import { ApiError } from '../../contract/api-error.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import type { Score } from '../../contract/v2/scores.ts'
import { scorerOf, scoresOf, trialOpNames, weaveText } from '../../core/evaluations/evaluation-calls.ts'
import { find } from '../../core/json/navigate.ts'
import { objectOf } from '../../core/json/object.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { findCall, pageOf, queryCalls, readCall, withChildren } from './calls.ts'
import type { Classic } from './classic.ts'
import { partsOf } from './evaluation-runs.ts'
import { marked, trialOf } from './predictions.ts'
import { opWithoutSource } from './source-code.ts'

type Operation = 'score_create' | 'score_list' | 'score_read' | 'score_delete'

export function scoresHandlers(deps: Deps, classic: Classic): Pick<Handlers, Operation> {
  return {
    score_create: async (request, caller) => {
      const { project_id, prediction_id, scorer, value, evaluation_run_id } = request
      const name = scorerName(scorer)
      const prediction = await findCall(classic, project_id, prediction_id, caller)
      const id = deps.newId()
      const now = formatTime(deps.now())
      const place = await placeOf(classic, project_id, evaluation_run_id ?? undefined, prediction, caller)
      const score = {
        project_id,
        id,
        trace_id: place?.trace_id ?? id,
        parent_id: place?.parent_id,
        op_name: await opWithoutSource(classic, project_id, `${name}.score`, caller),
        started_at: now,
        ended_at: now,
        attributes: objectOf([
          [
            'weave',
            { score: 'true', prediction_id, scorer, ...(evaluation_run_id ? { evaluation_run_id } : {}) },
          ],
        ]),
        inputs: objectOf([
          ['self', scorer],
          ['inputs', prediction === undefined ? {} : (find(prediction.inputs, 'inputs') ?? {})],
          ['output', prediction?.output ?? null],
        ]),
        output: value,
      }
      await classic.calls_complete({ ...partsOf(project_id), batch: [score] }, caller)
      // So that whoever looks at the prediction sees its scores.
      const callRef = (call_id: string): string =>
        formatRef({ kind: 'call', project_id, id: call_id, path: [] })
      const feedback = {
        project_id,
        weave_ref: callRef(prediction_id),
        feedback_type: `wandb.runnable.${name}`,
        payload: objectOf([['output', value]]),
        runnable_ref: scorer,
        call_ref: callRef(id),
      }
      await classic.feedback_create(feedback, caller)
      return { score_id: id }
    },

    score_list: async ({ project_id, evaluation_run_id, limit, offset }, caller) =>
      evaluation_run_id
        ? pageOf(scoresOfRun(classic, project_id, evaluation_run_id, caller), { limit, offset })
        : allScores(classic, { project_id, limit, offset }, caller),

    score_read: async ({ project_id, score_id: id }, caller) => {
      let trial: Call | undefined
      const isOne = async (call: Call): Promise<boolean> => {
        trial = await trialOf(classic, call, caller)
        return isScore(call) || (trial !== undefined && scoresOf(trial, [call]).length > 0)
      }
      const call = await readCall(classic, { project_id, id }, { word: 'Score', isOne }, caller)
      return view(call, trial?.parent_id)
    },

    score_delete: async ({ project_id, score_ids }, caller) =>
      classic.calls_delete({ project_id, call_ids: score_ids }, caller),
  }
}

function isScore(call: Call): boolean {
  return weaveText(call, 'score') === 'true'
}

function scorerName(scorer: string): string {
  const ref = parseRef(scorer)
  if (ref === undefined || !('name' in ref))
    throw new ApiError('invalid_request', `"${scorer}" is no ref of a scorer: an object or an op`)
  return ref.name
}

/** Beside its prediction; else right below the run; else alone. */
async function placeOf(
  classic: Classic,
  project_id: string,
  run_id: string | undefined,
  prediction: Call | undefined,
  caller: Caller,
): Promise<{ trace_id: string; parent_id: string } | undefined> {
  if (run_id === undefined) return undefined
  if (prediction !== undefined && prediction.parent_id !== null)
    return { trace_id: prediction.trace_id, parent_id: prediction.parent_id }
  const run = await findCall(classic, project_id, run_id, caller)
  return { trace_id: run?.trace_id ?? run_id, parent_id: run_id }
}

/** Whoever recorded them: found by where they stand. */
async function* scoresOfRun(
  classic: Classic,
  project_id: string,
  run_id: string,
  caller: Caller,
): AsyncGenerator<Score> {
  const filter = { parent_ids: [run_id] }
  const trials = queryCalls(
    classic,
    { project_id, filter: { ...filter, op_names: trialOpNames(project_id) } },
    caller,
  )
  for await (const { trial, children } of withChildren(classic, project_id, trials, caller)) {
    for (const call of scoresOf(trial, children)) yield view(call, run_id)
  }
  const alone = { project_id, filter, query: marked('score') }
  for await (const call of queryCalls(classic, alone, caller)) yield view(call, run_id)
}

/** Without a run to look below, those that were recorded as scores. */
async function* allScores(
  classic: Classic,
  page: { project_id: string; limit?: number | null | undefined; offset?: number | null | undefined },
  caller: Caller,
): AsyncGenerator<Score> {
  const query = { ...page, query: marked('score') }
  for await (const call of queryCalls(classic, query, caller)) yield view(call, undefined)
}

function view(call: Call, run_id: string | null | undefined): Score {
  return {
    score_id: call.id,
    scorer: scorerOf(call),
    value: call.output,
    evaluation_run_id: weaveText(call, 'evaluation_run_id') ?? run_id ?? null,
    wb_user_id: call.wb_user_id,
  }
}
