import type { Attribute } from './attribute.ts'
import { asText, isAbsent, isObject, type Json, type JsonObject, toJson } from './json.ts'
import type { Attributes, SpanEvent } from './model.ts'
import { indexed } from './readers.ts'

/** Reads evaluation events and annotations into payloads of feedback, with `name` and `identifier`. */

const MAX_TEXT_CHARACTERS = 100_000

/** `gen_ai.evaluation.result`, on a span. */
export function evaluationEvents(events: readonly SpanEvent[]): Json | undefined {
  const entries: JsonObject[] = events.flatMap(({ attributes, timeNanos }) => {
    const entry = evaluation(attributes, timeNanos)
    return entry === undefined ? [] : [entry]
  })
  return entries.length === 0 ? undefined : entries
}

export function evaluation(attributes: Attributes, timeNanos: bigint): JsonObject | undefined {
  const get = (key: string): Json | undefined => {
    const value = attributes.get(key)
    return value === undefined || isAbsent(value) ? undefined : shortJson(toJson(value))
  }
  const name = get('gen_ai.evaluation.name')
  if (typeof name !== 'string') return undefined
  return {
    name,
    identifier: timeNanos.toString(),
    value: get('gen_ai.evaluation.score.value'),
    label: get('gen_ai.evaluation.score.label'),
    explanation: get('gen_ai.evaluation.explanation'),
    response_id: get('gen_ai.response.id'),
    error_type: get('error.type'),
  }
}

/** `annotations.0.annotation.name` and so on of OpenInference. */
export function annotations(kind: 'annotation' | 'evaluation') {
  return (members: readonly Attribute[]): Json | undefined => {
    const found = indexed(members).flatMap((item, index) => {
      const entry = isObject(item) ? item[kind] : undefined
      if (!isObject(entry)) return []
      const { score, label, explanation, annotator_kind, identifier, metadata, name } = entry
      return [
        {
          name,
          identifier: asText(identifier) ?? `#${index}`,
          value: score,
          label: shortJson(label),
          explanation: shortJson(explanation),
          annotator_kind,
          metadata: shortJson(metadata),
        },
      ]
    })
    return found.length === 0 ? undefined : found
  }
}

/** A payload may have 1 MiB. */
function shortJson<Value extends Json | undefined>(value: Value): Value | string {
  if (typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS)
    return value.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
  return value
}
