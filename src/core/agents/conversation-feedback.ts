import type { ConversationFeedback, ConversationRating } from '../../contract/agents/conversation-spans.ts'
import { detone } from '../feedback/emoji.ts'
import { isObject } from '../json/is-object.ts'
import { parseDocument } from './document.ts'

/** Feedback on a conversation or a turn, as readers of conversations see it. */

interface StoredFeedback {
  readonly trace_id: string
  readonly feedback_type: ConversationFeedback['feedback_type']
  readonly scorer_tags: readonly string[]
  /** JSON objects by the name of the rating. */
  readonly scorer_ratings: string
  readonly scorer_rating_reasons: string
  readonly scorer_rating_confidences: string
}

export function viewConversationFeedback(stored: StoredFeedback): ConversationFeedback {
  return {
    trace_id: stored.trace_id === '' ? null : stored.trace_id,
    feedback_type: stored.feedback_type,
    tags: stored.scorer_tags.filter((tag) => tag !== '').map(detone),
    ratings: viewRatings(stored),
  }
}

/** A rating is a number; others are left out. */
function viewRatings(stored: StoredFeedback): ConversationRating[] {
  const ratings = membersOf(stored.scorer_ratings)
  const reasons = membersOf(stored.scorer_rating_reasons)
  const confidences = membersOf(stored.scorer_rating_confidences)
  return [...ratings].flatMap(([name, value]) => {
    if (typeof value !== 'number') return []
    const reason = reasons.get(name)
    const confidence = confidences.get(name)
    return [
      {
        name,
        value,
        reason: typeof reason === 'string' && reason !== '' ? reason : null,
        confidence: typeof confidence === 'number' ? confidence : null,
      },
    ]
  })
}

function membersOf(json: string): ReadonlyMap<string, unknown> {
  const document = parseDocument(json)
  return new Map(isObject(document) ? Object.entries(document) : [])
}
