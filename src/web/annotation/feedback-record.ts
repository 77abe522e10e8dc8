import { JsonText } from '../../client/browser/json-text.ts'
import { readPayload } from './payload-member.ts'

/** One thing that was said of a call. */
export interface FeedbackRecord {
  readonly id: string
  readonly feedback_type: string
  readonly created_at: string
  readonly creator: string | null
  readonly wb_user_id: string | null
  readonly annotation_ref: string | null
  /** As it was sent. */
  readonly payload: JsonText
}

export const REACTION = 'wandb.reaction.1'
export const NOTE = 'wandb.note.1'
const ANNOTATION = 'wandb.annotation.'
const RUNNABLE = 'wandb.runnable.'

export function annotationType(object_id: string): string {
  return ANNOTATION + object_id
}

export type Said =
  | { readonly kind: 'reaction'; readonly emoji: string }
  | { readonly kind: 'note'; readonly note: string }
  /** By a person: `value` is JSON. */
  | { readonly kind: 'score'; readonly name: string; readonly value: string }
  /** By a program, or of a type of the client's own. */
  | { readonly kind: 'other'; readonly name: string; readonly json: string }

export function saidIn({ feedback_type, payload }: FeedbackRecord): Said {
  if (feedback_type === REACTION) {
    const emoji = textIn(payload, 'emoji')
    if (emoji !== undefined) return { kind: 'reaction', emoji }
  } else if (feedback_type === NOTE) {
    const note = textIn(payload, 'note')
    if (note !== undefined) return { kind: 'note', note }
  } else if (feedback_type.startsWith(ANNOTATION)) {
    const value = readPayload(payload, 'value')
    if (value !== undefined) return { kind: 'score', name: feedback_type.slice(ANNOTATION.length), value }
  } else if (feedback_type.startsWith(RUNNABLE)) {
    const output = readPayload(payload, 'output')
    const name = feedback_type.slice(RUNNABLE.length)
    return { kind: 'other', name, json: output ?? payload.text }
  }
  return { kind: 'other', name: feedback_type, json: payload.text }
}

function textIn(payload: JsonText, key: string): string | undefined {
  const json = readPayload(payload, key)
  return json?.startsWith('"') === true ? (JSON.parse(json) as string) : undefined
}

export function recordOf(row: Readonly<Record<string, unknown>>): FeedbackRecord {
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
