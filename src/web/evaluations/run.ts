import { parseRef } from '../../client/browser/ref.ts'
import { type AnsweredCall, type CallFacts, factsOf } from '../call/call-facts.ts'
import { previewText } from '../call/preview-text.ts'
import { valueAt } from '../json/value-at.ts'
import { type RunScore, runScores } from './run-scores.ts'

/** Something that was published, as a run names it. */
export interface Named {
  readonly name: string
  /** Of its version; empty where the run does not say. */
  readonly digest: string
}

/** A run of an evaluation, as lists show it. */
export interface Run {
  readonly id: string
  readonly facts: CallFacts
  /** What people gave it as a name, or what it ran. */
  readonly name: string
  readonly evaluation: Named
  readonly model: Named
  readonly scores: readonly RunScore[]
}

export function runOf(call: AnsweredCall): Run {
  const inputs = call.inputs.text
  const attributes = call.attributes.text
  const evaluation = named(
    valueAt(attributes, ['weave', 'evaluation']) ?? valueAt(inputs, ['self']) ?? valueAt(inputs, ['this']),
  )
  const model = named(valueAt(attributes, ['weave', 'model']) ?? valueAt(inputs, ['model']))
  return {
    id: call.id,
    facts: factsOf(call),
    name: call.display_name ?? (model.name === '' ? evaluation.name : model.name),
    evaluation,
    model,
    scores: call.output === null ? [] : runScores(call.output.text),
  }
}

const MOST_CHARACTERS = 60

/** A model may also be written out where it was called. */
function named(json: string | undefined): Named {
  if (json === undefined) return { name: '', digest: '' }
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : previewText(json)
  const ref = parseRef(text)
  if (ref !== undefined && 'name' in ref) return { name: ref.name, digest: ref.digest }
  return { name: text.slice(0, MOST_CHARACTERS), digest: '' }
}
