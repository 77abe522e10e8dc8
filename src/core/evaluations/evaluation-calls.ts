import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import { entries, find, textAt } from '../json/navigate.ts'
import { parseRef } from '../objects/ref.ts'

/**
 * How evaluations stand among calls, whoever recorded them: a run is a call of `Evaluation.evaluate`; below it is one
 * `Evaluation.predict_and_score` for each trial, and below that the model's call and one for each scorer. Calls that
 * the typed routes make say more in `attributes.weave`.
 */
export const RUN_OP = 'Evaluation.evaluate'
export const TRIAL_OP = 'Evaluation.predict_and_score'
export const SUMMARIZE_OP = 'Evaluation.summarize'
/** As the TypeScript SDK names it. */
const TRIAL_OP_CAMEL = 'Evaluation.predictAndScore'

/** For `filter.op_names`: any version of an op, and the bare name. */
function anyVersion(project_id: string, name: string): string[] {
  return [`${REF_PREFIX}${project_id}/op/${name}:*`, name]
}

export function runOpNames(project_id: string): string[] {
  return anyVersion(project_id, RUN_OP)
}

export function trialOpNames(project_id: string): string[] {
  return [TRIAL_OP, TRIAL_OP_CAMEL].flatMap((name) => anyVersion(project_id, name))
}

/** The op's short name out of its ref, or the name as it is. */
function opNameOf(call: Call): string {
  const ref = parseRef(call.op_name)
  return ref?.kind === 'op' ? ref.name : call.op_name
}

export function isRun(call: Call): boolean {
  return opNameOf(call) === RUN_OP || weaveText(call, 'evaluation_run') === 'true'
}

export function isTrial(call: Call): boolean {
  return [TRIAL_OP, TRIAL_OP_CAMEL].includes(opNameOf(call))
}

/** A text of `attributes.weave`. */
export function weaveText(call: Call, key: string): string | undefined {
  const weave = find(call.attributes, 'weave')
  return weave === undefined ? undefined : textAt(weave, key)
}

/** The object that a method was called on; the TypeScript SDK names it `this`. */
export function receiverOf(call: Call): string | undefined {
  return textAt(call.inputs, 'self') ?? textAt(call.inputs, 'this')
}

/** The evaluation and the model of a run; '' for what it does not say. */
export function partsOfRun(call: Call): { evaluation: string; model: string } {
  return {
    evaluation: weaveText(call, 'evaluation') ?? receiverOf(call) ?? '',
    model: weaveText(call, 'model') ?? textAt(call.inputs, 'model') ?? '',
  }
}

function isMarkedScore(call: Call): boolean {
  if (weaveText(call, 'score') === 'true') return true
  const meta = find(call.attributes, '_weave_eval_meta')
  const score = meta === undefined ? undefined : find(meta, 'score')
  return score !== undefined && score.text !== 'false' && !score.isNull
}

/** Of a trial's children the one in which the model answered. */
export function predictionOf(trial: Call, children: readonly Call[]): Call | undefined {
  const id = weaveText(trial, 'predict_call_id')
  const model = textAt(trial.inputs, 'model')
  const answers = children.filter((call) => !isMarkedScore(call))
  return (
    answers.find((call) => call.id === id) ??
    // A model is an object with a method, or an op.
    answers.find((call) => model !== undefined && (receiverOf(call) === model || call.op_name === model)) ??
    answers.find((call) => /predict|invoke/i.test(opNameOf(call)))
  )
}

/** Of a trial's children those in which scorers answered. */
export function scoresOf(trial: Call, children: readonly Call[]): Call[] {
  const prediction = predictionOf(trial, children)
  const keys = new Set(entries(scoresIn(trial)).map(([key]) => key))
  return children.filter(
    (call) =>
      call !== prediction &&
      (isMarkedScore(call) || keys.has(opNameOf(call)) || /\.score|scorer/i.test(opNameOf(call))),
  )
}

const NO_SCORES = RawJson.fromText('{}')

/** The scores that a trial ended with, by scorer; nothing where it has none. */
export function scoresIn(trial: Call): RawJson {
  return (trial.output === null ? undefined : find(trial.output, 'scores')) ?? NO_SCORES
}

/** What scored: the scorer that a typed route was told, an object with a method, or an op. */
export function scorerOf(call: Call): string {
  return weaveText(call, 'scorer') ?? receiverOf(call) ?? call.op_name
}

/** Which of a trial's calls gave the score under each key: by the scorer's name, as nothing else tells. */
export function scorerCallIds(trial: Call, scorers: readonly Call[]): Record<string, string> {
  const found: [string, string][] = []
  for (const [key] of entries(scoresIn(trial))) {
    const wanted = key.toLowerCase()
    const call = scorers.find((scorer) => {
      const name = opNameOf(scorer).toLowerCase()
      return name.includes(wanted) || wanted.includes(name)
    })
    if (call !== undefined) found.push([key, call.id])
  }
  return Object.fromEntries(found)
}
