import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import { entries, find, stringMember } from '../json/navigate.ts'
import { parseRef } from '../objects/ref.ts'

/**
 * How evaluations are recorded as calls: a run is a call of `Evaluation.evaluate` with one child
 * `Evaluation.predict_and_score` per trial, whose children are the call of the model and one call per scorer. Calls
 * created by the typed routes carry more details in `attributes.weave`.
 */
export const RUN_OP = 'Evaluation.evaluate'
export const TRIAL_OP = 'Evaluation.predict_and_score'
export const SUMMARIZE_OP = 'Evaluation.summarize'
/** The name in the TypeScript SDK. */
const TRIAL_OP_CAMEL = 'Evaluation.predictAndScore'

/** Values of `filter.op_names` that match any version of an op, and the bare name. */
function anyVersion(project_id: string, name: string): string[] {
  return [`${REF_PREFIX}${project_id}/op/${name}:*`, name]
}

export function runOpNames(project_id: string): string[] {
  return anyVersion(project_id, RUN_OP)
}

export function trialOpNames(project_id: string): string[] {
  return [TRIAL_OP, TRIAL_OP_CAMEL].flatMap((name) => anyVersion(project_id, name))
}

/** The op name without project and digest if it is a ref, else the name unchanged. */
function shortOpName(call: Call): string {
  const ref = parseRef(call.op_name)
  return ref?.kind === 'op' ? ref.name : call.op_name
}

export function isRun(call: Call): boolean {
  return shortOpName(call) === RUN_OP || weaveAttribute(call, 'evaluation_run') === 'true'
}

export function isTrial(call: Call): boolean {
  return [TRIAL_OP, TRIAL_OP_CAMEL].includes(shortOpName(call))
}

/** A string of `attributes.weave`. */
export function weaveAttribute(call: Call, key: string): string | undefined {
  const weave = find(call.attributes, 'weave')
  return weave === undefined ? undefined : stringMember(weave, key)
}

/** Ref of the object that a method was called on; the TypeScript SDK calls it `this`. */
export function receiverRef(call: Call): string | undefined {
  return stringMember(call.inputs, 'self') ?? stringMember(call.inputs, 'this')
}

/** Refs of the evaluation and the model of a run; '' if unknown. */
export function runRefs(call: Call): { evaluation: string; model: string } {
  return {
    evaluation: weaveAttribute(call, 'evaluation') ?? receiverRef(call) ?? '',
    model: weaveAttribute(call, 'model') ?? stringMember(call.inputs, 'model') ?? '',
  }
}

function isMarkedScore(call: Call): boolean {
  if (weaveAttribute(call, 'score') === 'true') return true
  const meta = find(call.attributes, '_weave_eval_meta')
  const score = meta === undefined ? undefined : find(meta, 'score')
  return score !== undefined && score.text !== 'false' && !score.isNull
}

/** Finds the call of the model among the children of a trial. */
export function findPrediction(trial: Call, children: readonly Call[]): Call | undefined {
  const id = weaveAttribute(trial, 'predict_call_id')
  const model = stringMember(trial.inputs, 'model')
  const candidates = children.filter((call) => !isMarkedScore(call))
  return (
    candidates.find((call) => call.id === id) ??
    // A model is either an object with a method or an op.
    candidates.find(
      (call) => model !== undefined && (receiverRef(call) === model || call.op_name === model),
    ) ??
    candidates.find((call) => /predict|invoke/i.test(shortOpName(call)))
  )
}

/** Finds the calls of scorers among the children of a trial. */
export function findScoreCalls(trial: Call, children: readonly Call[]): Call[] {
  const prediction = findPrediction(trial, children)
  const keys = new Set(entries(trialScores(trial)).map(([key]) => key))
  return children.filter(
    (call) =>
      call !== prediction &&
      (isMarkedScore(call) || keys.has(shortOpName(call)) || /\.score|scorer/i.test(shortOpName(call))),
  )
}

const NO_SCORES = RawJson.fromText('{}')

/** The scores in the output of a trial, by scorer; empty if it has none. */
export function trialScores(trial: Call): RawJson {
  return (trial.output === null ? undefined : find(trial.output, 'scores')) ?? NO_SCORES
}

/** Ref of the scorer: as given to a typed route, an object with a method, or an op. */
export function scorerRef(call: Call): string {
  return weaveAttribute(call, 'scorer') ?? receiverRef(call) ?? call.op_name
}

/** Maps each score key to the call that computed it, matched by the scorer's name: there is no other link. */
export function scorerCallIds(trial: Call, scorers: readonly Call[]): Record<string, string> {
  const found: [string, string][] = []
  for (const [key] of entries(trialScores(trial))) {
    const wanted = key.toLowerCase()
    const call = scorers.find((scorer) => {
      const name = shortOpName(scorer).toLowerCase()
      return name.includes(wanted) || wanted.includes(name)
    })
    if (call !== undefined) found.push([key, call.id])
  }
  return Object.fromEntries(found)
}
