import type { Call } from '../../contract/calls/calls.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { inBatches } from '../../core/concurrency/batched-stream.ts'
import { findScoreCalls, isTrial, scorerRef } from '../../core/evaluations/evaluation-calls.ts'
import { buildObject } from '../../core/json/object.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { parseTime } from '../../core/time/time.ts'
import type { Caller } from '../deps.ts'
import { findCall, queryCalls } from './calls.ts'
import type { V1Handlers } from './v1-handlers.ts'

/** Trials of evaluations: calls that group a prediction with its scores. */

/** Finds the trial that a call belongs to. */
export async function findTrial(v1: V1Handlers, call: Call, caller: Caller): Promise<Call | undefined> {
  const parent = await findCall(v1, call.project_id, call.parent_id, caller)
  return parent !== undefined && isTrial(parent) ? parent : undefined
}

/** The output of a trial, in the form that SDKs write. */
export async function trialOutput(
  v1: V1Handlers,
  trial: Call,
  prediction: Call,
  caller: Caller,
): Promise<RawJson> {
  const { project_id } = trial
  const children: Call[] = []
  const filter = { parent_ids: [trial.id] }
  for await (const child of queryCalls(v1, { project_id, filter }, caller)) children.push(child)
  const scores = new Map<string, RawJson>()
  for (const call of findScoreCalls(trial, children)) {
    if (call.output !== null) scores.set(scorerKey(scorerRef(call)), call.output)
  }
  return buildObject([
    ['output', prediction.output],
    ['scores', buildObject([...scores])],
    ['model_latency', meanLatency(prediction)],
  ])
}

function scorerKey(scorer: string): string {
  const ref = parseRef(scorer)
  return ref !== undefined && 'name' in ref ? ref.name : scorer
}

function meanLatency(call: Call): { mean: number } | null {
  const seconds = durationSeconds(call)
  return seconds === undefined ? null : { mean: seconds }
}

export function durationSeconds(call: Call): number | undefined {
  const started = parseTime(call.started_at)
  const ended = call.ended_at === null ? undefined : parseTime(call.ended_at)
  return started === undefined || ended === undefined ? undefined : Number(ended - started) / 1e6
}

/** Children are queried for this many trials at a time. */
const TRIALS_PER_QUERY = 250

/** A trial (a `predict_and_score` call) with its child calls. */
export interface TrialWithChildren {
  readonly trial: Call
  readonly children: readonly Call[]
}

/** Streams calls with their children, in the order of the calls. */
export async function* withChildren(
  v1: V1Handlers,
  project_id: string,
  parents: AsyncIterable<Call>,
  caller: Caller,
): AsyncGenerator<TrialWithChildren> {
  for await (const group of inBatches(parents, TRIALS_PER_QUERY)) {
    const children = new Map<string, Call[]>(group.map((trial) => [trial.id, []]))
    const filter = { parent_ids: [...children.keys()] }
    for await (const child of queryCalls(v1, { project_id, filter }, caller))
      children.get(child.parent_id ?? '')?.push(child)
    for (const trial of group) yield { trial, children: children.get(trial.id) ?? [] }
  }
}
