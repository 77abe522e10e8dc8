import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import type { FeedbackCreate } from '../../contract/feedback/feedback.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import type { MappedFeedback } from '../../otlp/mapped.ts'
import type { Rejections } from '../../otlp/wire/rejections.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Stores the feedback in an export. Its ids are derived, so that a repeated export changes nothing. */

export interface ProjectFeedback {
  readonly project_id: string
  readonly feedback: MappedFeedback
}

/** Feedback that is not valid is left out, with a warning in the response: its span was stored. */
export async function storeFeedback(
  create: Handlers['feedback_create_batch'],
  caller: Caller,
  items: readonly ProjectFeedback[],
  warnings: Rejections,
): Promise<void> {
  if (items.length === 0) return
  const batch = items.map(feedbackRecord)
  try {
    await create({ batch }, caller)
  } catch (error) {
    if (!isInvalid(error)) throw error
    for (const record of batch) {
      try {
        await create({ batch: [record] }, caller)
      } catch (cause) {
        if (!isInvalid(cause)) throw cause
        warnings.add(`feedback ${record.feedback_type}: ${cause.message}`, 0)
      }
    }
  }
}

function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

export function feedbackRecord({ project_id, feedback }: ProjectFeedback): FeedbackCreate {
  const { call_id, feedback_type, payload, key } = feedback
  return {
    project_id,
    id: derivedId([project_id, call_id, feedback_type, key]),
    weave_ref: formatRef({ kind: 'call', project_id, id: call_id, path: [] }),
    feedback_type,
    payload,
  }
}

/** A UUID of version 8, made from a hash. */
function derivedId(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
