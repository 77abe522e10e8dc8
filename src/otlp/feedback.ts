import { RawJson } from '../contract/raw-json.ts'
import { writeJson } from '../core/json/write.ts'
import { evaluation } from './evaluation.ts'
import { asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import type { MappedFeedback } from './mapped.ts'
import type { Attributes } from './model.ts'
import { cutText } from './text.ts'
import type { Resolution } from './resolve.ts'

/** Feedback from evaluation events and annotations. */

/** An entry of a `feedback.…` field: the payload, with the name and what distinguishes it from others of the name. */
interface Entry {
  readonly name: string
  readonly identifier: string
  readonly payload: JsonObject
}

const MAX_NAME_CHARACTERS = 128
const FIELD = 'feedback.'

/** The fields are `feedback.<first part of the type>`, with `.trace` or `.session` for what is not about the span. */
export function spanFeedback(resolution: Resolution, call_id: string): MappedFeedback[] {
  const feedback: MappedFeedback[] = []
  for (const field of resolution.fields) {
    if (!field.startsWith(FIELD)) continue
    const [prefix = '', target] = field.slice(FIELD.length).split('.')
    for (const entry of entriesOf(resolution.value(field)))
      feedback.push(toFeedback(call_id, prefix, entry, target))
  }
  return feedback
}

function entriesOf(value: Json | undefined): Entry[] {
  if (!isList(value)) return []
  return value.flatMap((item) => {
    if (!isObject(item)) return []
    const { name, identifier, ...payload } = item
    const text = asText(name)
    return text === undefined ? [] : [{ name: text, identifier: asText(identifier) ?? '', payload }]
  })
}

function toFeedback(
  call_id: string,
  prefix: string,
  { name, identifier, payload }: Entry,
  target: string | undefined,
): MappedFeedback {
  const feedback_type = `${prefix}.${cutText(name, MAX_NAME_CHARACTERS)}`
  return {
    call_id,
    feedback_type,
    payload: RawJson.fromText(writeJson(target === undefined ? payload : { ...payload, target })),
    key: [call_id, target ?? 'span', feedback_type, cutText(identifier, MAX_NAME_CHARACTERS)].join('/'),
  }
}

/** The same as a log record. */
export function logFeedback(call_id: string, attributes: Attributes, timeNanos: bigint): MappedFeedback[] {
  const entry = evaluation(attributes, timeNanos)
  return entry === undefined
    ? []
    : entriesOf([entry]).map((each) => toFeedback(call_id, 'evaluation', each, undefined))
}
