import { parseRef } from '../../client/browser/ref.ts'
import { type ApiCall, type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { previewText } from '../call/preview-text.ts'
import { valueAt } from '../json/value-at.ts'
import { meanLatencyMs, type RunScore, runScores } from './run-scores.ts'

/** A published object version that a run refers to. */
export interface NamedVersion {
  readonly name: string
  /** Version digest; empty if the run does not record it. */
  readonly digest: string
}

/** An evaluation run. */
export interface Run {
  readonly id: string
  readonly call: CallListItem
  /** Display name, or the name of the model or evaluation. */
  readonly name: string
  readonly evaluation: NamedVersion
  readonly model: NamedVersion
  /** As the SDK summarized them. */
  readonly scores: readonly RunScore[]
  /** Mean latency of the model, as the SDK measured it. */
  readonly modelLatencyMs: number | undefined
  /** The summary that the SDK recorded, as JSON text. */
  readonly summaryText: string | undefined
}

export function toRun(call: ApiCall): Run {
  const inputs = call.inputs.text
  const attributes = call.attributes.text
  const evaluation = readNamedVersion(
    valueAt(attributes, ['weave', 'evaluation']) ?? valueAt(inputs, ['self']) ?? valueAt(inputs, ['this']),
  )
  const model = readNamedVersion(valueAt(attributes, ['weave', 'model']) ?? valueAt(inputs, ['model']))
  return {
    id: call.id,
    call: toCallListItem(call),
    name: call.display_name ?? (model.name === '' ? evaluation.name : model.name),
    evaluation,
    model,
    scores: call.output === null ? [] : runScores(call.output.text),
    modelLatencyMs: call.output === null ? undefined : meanLatencyMs(call.output.text),
    summaryText: call.output?.text,
  }
}

const MAX_NAME_CHARACTERS = 60

/** Reads a ref. A model may also be an inline value, which becomes a short preview. */
function readNamedVersion(json: string | undefined): NamedVersion {
  if (json === undefined) return { name: '', digest: '' }
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : previewText(json)
  const ref = parseRef(text)
  if (ref !== undefined && 'name' in ref) return { name: ref.name, digest: ref.digest }
  return { name: text.slice(0, MAX_NAME_CHARACTERS), digest: '' }
}
