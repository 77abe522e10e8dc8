import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { parseRef } from '../../contract/objects/ref.ts'
import { detone, isOneEmoji, shortcode } from './emoji.ts'
import { find, stringOf } from '../json/navigate.ts'
import { withMembers } from '../json/object.ts'

/** What each type of feedback must look like, and what the server adds to it. */
export interface FeedbackClaim {
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

const MAX_PAYLOAD_BYTES = 1024 * 1024
const MAX_NOTE_CHARACTERS = 1024

/** The payload to store. Throws `invalid_request` if the record breaks a rule of its type. */
export function checkFeedback(claim: FeedbackClaim): RawJson {
  if (claim.payload.bytes.length > MAX_PAYLOAD_BYTES) {
    throw broken(
      `the payload has ${claim.payload.bytes.length} bytes; at most ${MAX_PAYLOAD_BYTES} are allowed`,
    )
  }
  const { feedback_type } = claim
  if (claim.hasScores && !feedback_type.startsWith(RUNNABLE) && !SCORED_TYPES.has(feedback_type)) {
    throw broken(`scorer_* fields belong to feedback of the types ${RUNNABLE}<name> and wandb.agent_*`)
  }
  if (feedback_type === REACTION) return checkReaction(claim)
  if (feedback_type === NOTE) return checkNote(claim)
  if (feedback_type.startsWith(ANNOTATION)) return checkAnnotation(claim)
  if (feedback_type.startsWith(RUNNABLE)) return checkRunnable(claim)
  // A type of the client's own: the spec lets it carry any of the refs.
  return claim.payload
}

function checkReaction(claim: FeedbackClaim): RawJson {
  forbid(claim, ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'])
  const emoji = textOf(claim.payload, 'emoji')
  if (emoji === undefined || !isOneEmoji(emoji))
    throw broken('payload.emoji of a reaction must be exactly one emoji')
  const detoned = detone(emoji)
  return withMembers(claim.payload, [
    ['alias', shortcode(emoji)],
    ['detoned', detoned],
    ['detoned_alias', shortcode(detoned)],
  ])
}

function checkNote(claim: FeedbackClaim): RawJson {
  forbid(claim, ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'])
  // Characters as Python counts them: an emoji is one, not two.
  const length = Array.from(textOf(claim.payload, 'note') ?? '').length
  if (length === 0) throw broken('payload.note of a note must be a text of at least one character')
  if (length > MAX_NOTE_CHARACTERS) {
    throw broken(`payload.note has ${length} characters; at most ${MAX_NOTE_CHARACTERS} are allowed`)
  }
  return claim.payload
}

function checkAnnotation(claim: FeedbackClaim): RawJson {
  forbid(claim, ['runnable_ref', 'call_ref', 'trigger_ref'])
  const name = claim.feedback_type.slice(ANNOTATION.length)
  const ref = refOf(claim, 'annotation_ref')
  if (ref.kind !== 'object' || ref.name !== name)
    throw broken(`annotation_ref must be an object with the name ${name}`)
  if (find(claim.payload, 'value') === undefined) throw broken('payload.value of an annotation is missing')
  return claim.payload
}

function checkRunnable(claim: FeedbackClaim): RawJson {
  forbid(claim, ['annotation_ref'])
  const name = claim.feedback_type.slice(RUNNABLE.length)
  const ref = refOf(claim, 'runnable_ref')
  if ((ref.kind !== 'op' && ref.kind !== 'object') || ref.name !== name) {
    throw broken(`runnable_ref must be an op or object with the name ${name}`)
  }
  if (ref.kind === 'op' && claim.call_ref === null) throw broken('call_ref is missing: the runnable is an op')
  if (find(claim.payload, 'output') === undefined) throw broken('payload.output of a runnable is missing')
  return claim.payload
}

type RefField = 'annotation_ref' | 'runnable_ref' | 'call_ref' | 'trigger_ref'

function forbid(claim: FeedbackClaim, fields: readonly RefField[]): void {
  const set = fields.find((field) => claim[field] !== null)
  if (set !== undefined) throw broken(`${set} does not belong to feedback of the type ${claim.feedback_type}`)
}

function refOf(claim: FeedbackClaim, field: RefField) {
  const text = claim[field]
  if (text === null) throw broken(`${field} is missing: ${claim.feedback_type} needs it`)
  const ref = parseRef(text)
  if (ref === undefined)
    throw broken(`${field} is not a ref of the form weave:///entity/project/object/name:digest`)
  return ref
}

function textOf(payload: RawJson, key: string): string | undefined {
  const value = find(payload, key)
  return value === undefined ? undefined : stringOf(value)
}

function broken(sentence: string): ApiError {
  return new ApiError('invalid_request', sentence)
}
