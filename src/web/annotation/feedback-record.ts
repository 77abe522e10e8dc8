import { TAG_FEEDBACK } from '../../client/browser/call-fields.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { payloadMember } from './payload-member.ts'

/** One feedback record on a call, as `feedback_query` returns it. */
export interface FeedbackRecord {
  readonly id: string
  readonly feedback_type: string
  readonly created_at: string
  readonly creator: string | null
  readonly wb_user_id: string | null
  readonly annotation_ref: string | null
  /** The JSON text exactly as the client sent it. */
  readonly payload: JsonText
}

export const REACTION = 'wandb.reaction.1'
export const NOTE = 'wandb.note.1'
const ANNOTATION = 'wandb.annotation.'
const RUNNABLE = 'wandb.runnable.'

export function annotationType(object_id: string): string {
  return ANNOTATION + object_id
}

/** The content of a feedback record, by kind. */
export type FeedbackContent =
  | { readonly kind: 'reaction'; readonly emoji: string }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'tag'; readonly tag: string }
  /** An annotation by a person. `value` is JSON text. */
  | { readonly kind: 'score'; readonly name: string; readonly value: string }
  /** A scorer result, or a custom feedback type. */
  | { readonly kind: 'other'; readonly name: string; readonly json: string }

/** Reads the payload by its feedback type. A payload that does not match its type becomes `other`. */
export function feedbackContent({ feedback_type, payload }: FeedbackRecord): FeedbackContent {
  if (feedback_type === REACTION) {
    const emoji = stringMember(payload, 'emoji')
    if (emoji !== undefined) return { kind: 'reaction', emoji }
  } else if (feedback_type === NOTE) {
    const note = stringMember(payload, 'note')
    if (note !== undefined) return { kind: 'note', note }
  } else if (feedback_type === TAG_FEEDBACK) {
    const tag = stringMember(payload, 'tag')
    if (tag !== undefined) return { kind: 'tag', tag }
  } else if (feedback_type.startsWith(ANNOTATION)) {
    const value = payloadMember(payload, 'value')
    if (value !== undefined) return { kind: 'score', name: feedback_type.slice(ANNOTATION.length), value }
  } else if (feedback_type.startsWith(RUNNABLE)) {
    const output = payloadMember(payload, 'output')
    const name = feedback_type.slice(RUNNABLE.length)
    return { kind: 'other', name, json: output ?? payload.text }
  }
  return { kind: 'other', name: feedback_type, json: payload.text }
}

function stringMember(payload: JsonText, key: string): string | undefined {
  const json = payloadMember(payload, key)
  return json?.startsWith('"') === true ? (JSON.parse(json) as string) : undefined
}

export function toFeedbackRecord(row: Readonly<Record<string, unknown>>): FeedbackRecord {
  const text = (key: string): string | null => (typeof row[key] === 'string' ? row[key] : null)
  return {
    id: text('id') ?? '',
    feedback_type: text('feedback_type') ?? '',
    created_at: text('created_at') ?? '',
    creator: text('creator'),
    wb_user_id: text('wb_user_id'),
    annotation_ref: text('annotation_ref'),
    payload: row['payload'] instanceof JsonText ? row['payload'] : new JsonText('{}'),
  }
}
