import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { parseRef } from '../../contract/objects/ref.ts'
import { detone, isOneEmoji, shortcode } from './emoji.ts'
import { find, stringValue } from '../json/navigate.ts'
import { withMembers } from '../json/object.ts'
import { MAX_FEEDBACK_PAYLOAD_BYTES, MAX_NOTE_CHARACTERS } from '../../contract/limits.ts'

/** Validation of feedback by type, and the payload fields that the server adds. */
export interface FeedbackInput {
  readonly feedback_type: string
  readonly payload: RawJson
  readonly annotation_ref: string | null
  readonly runnable_ref: string | null
  readonly call_ref: string | null
  readonly trigger_ref: string | null
  readonly hasScores: boolean
}

const REACTION = 'wandb.reaction.1'
const NOTE = 'wandb.note.1'
const ANNOTATION = 'wandb.annotation.'
const RUNNABLE = 'wandb.runnable.'
const SCORED_TYPES: ReadonlySet<string> = new Set(['wandb.agent_monitor', 'wandb.agent_user_feedback'])

/** Returns the payload to store. Throws `invalid_request` if the record violates a rule of its type. */
export function checkFeedback(feedback: FeedbackInput): RawJson {
  if (feedback.payload.bytes.length > MAX_FEEDBACK_PAYLOAD_BYTES) {
    throw invalidFeedback(
      `the payload has ${feedback.payload.bytes.length} bytes; the maximum is ${MAX_FEEDBACK_PAYLOAD_BYTES}`,
    )
  }
  const { feedback_type } = feedback
  if (feedback.hasScores && !feedback_type.startsWith(RUNNABLE) && !SCORED_TYPES.has(feedback_type)) {
    throw invalidFeedback(
      `scorer_* fields are only allowed for the feedback types ${RUNNABLE}<name> and wandb.agent_*`,
    )
  }
  if (feedback_type === REACTION) return checkReaction(feedback)
  if (feedback_type === NOTE) return checkNote(feedback)
  if (feedback_type.startsWith(ANNOTATION)) return checkAnnotation(feedback)
  if (feedback_type.startsWith(RUNNABLE)) return checkRunnable(feedback)
  // A custom type: the spec allows any of the refs.
  return feedback.payload
}

function checkReaction(feedback: FeedbackInput): RawJson {
  forbid(feedback, ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'])
  const emoji = stringField(feedback.payload, 'emoji')
  if (emoji === undefined || !isOneEmoji(emoji))
    throw invalidFeedback('payload.emoji must be exactly one emoji')
  const detoned = detone(emoji)
  return withMembers(feedback.payload, [
    ['alias', shortcode(emoji)],
    ['detoned', detoned],
    ['detoned_alias', shortcode(detoned)],
  ])
}

function checkNote(feedback: FeedbackInput): RawJson {
  forbid(feedback, ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'])
  // Counts code points, as Python does: an emoji is one, not two.
  const length = Array.from(stringField(feedback.payload, 'note') ?? '').length
  if (length === 0) throw invalidFeedback('payload.note must be a non-empty string')
  if (length > MAX_NOTE_CHARACTERS) {
    throw invalidFeedback(`payload.note has ${length} characters; the maximum is ${MAX_NOTE_CHARACTERS}`)
  }
  return feedback.payload
}

function checkAnnotation(feedback: FeedbackInput): RawJson {
  forbid(feedback, ['runnable_ref', 'call_ref', 'trigger_ref'])
  const name = feedback.feedback_type.slice(ANNOTATION.length)
  const ref = requiredRef(feedback, 'annotation_ref')
  if (ref.kind !== 'object' || ref.name !== name)
    throw invalidFeedback(`annotation_ref must refer to an object named ${name}`)
  if (find(feedback.payload, 'value') === undefined)
    throw invalidFeedback('payload.value is required for an annotation')
  return feedback.payload
}

function checkRunnable(feedback: FeedbackInput): RawJson {
  forbid(feedback, ['annotation_ref'])
  const name = feedback.feedback_type.slice(RUNNABLE.length)
  const ref = requiredRef(feedback, 'runnable_ref')
  if ((ref.kind !== 'op' && ref.kind !== 'object') || ref.name !== name) {
    throw invalidFeedback(`runnable_ref must refer to an op or object named ${name}`)
  }
  if (ref.kind === 'op' && feedback.call_ref === null)
    throw invalidFeedback('call_ref is required if runnable_ref refers to an op')
  if (find(feedback.payload, 'output') === undefined)
    throw invalidFeedback('payload.output is required for a runnable')
  return feedback.payload
}

type RefField = 'annotation_ref' | 'runnable_ref' | 'call_ref' | 'trigger_ref'

function forbid(feedback: FeedbackInput, fields: readonly RefField[]): void {
  const set = fields.find((field) => feedback[field] !== null)
  if (set !== undefined)
    throw invalidFeedback(`${set} is not allowed for the feedback type ${feedback.feedback_type}`)
}

function requiredRef(feedback: FeedbackInput, field: RefField) {
  const text = feedback[field]
  if (text === null)
    throw invalidFeedback(`${field} is required for the feedback type ${feedback.feedback_type}`)
  const ref = parseRef(text)
  if (ref === undefined)
    throw invalidFeedback(`${field} is not a ref of the form weave:///entity/project/object/name:digest`)
  return ref
}

function stringField(payload: RawJson, key: string): string | undefined {
  const value = find(payload, key)
  return value === undefined ? undefined : stringValue(value)
}

function invalidFeedback(reason: string): ApiError {
  return new ApiError('invalid_request', reason)
}
