import { RawJson } from '../../contract/raw-json.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { writeJson } from '../../core/json/write.ts'
import { formatRef } from '../../core/objects/ref.ts'
import type { Database } from '../../store/database/database.ts'
import { type FeedbackRow, listFeedbackAbout } from '../../store/feedback/feedback.ts'

/** Finds feedback on these calls, by call id, oldest first. */
export async function findCallFeedback(
  db: Database,
  project_id: string,
  rows: readonly StoredCallRow[],
): Promise<Map<string, RawJson[]>> {
  const ids = new Map(rows.map((row) => [callRef(project_id, row.id), row.id]))
  const byCall = new Map<string, RawJson[]>()
  for (const feedback of await listFeedbackAbout(db, project_id, [...ids.keys()])) {
    const id = ids.get(feedback.weave_ref)
    if (id === undefined) continue
    byCall.set(id, [...(byCall.get(id) ?? []), viewFeedback(feedback)])
  }
  return byCall
}

function callRef(project_id: string, id: string): string {
  return formatRef({ kind: 'call', project_id, id, path: [] })
}

function viewFeedback(row: FeedbackRow): RawJson {
  return RawJson.fromText(
    writeJson({
      id: row.id,
      feedback_type: row.feedback_type,
      weave_ref: row.weave_ref,
      payload: RawJson.fromText(row.payload),
      creator: row.creator,
      created_at: row.created_at,
      wb_user_id: row.wb_user_id,
      runnable_ref: row.runnable_ref,
      call_ref: row.call_ref,
      trigger_ref: row.trigger_ref,
      annotation_ref: row.annotation_ref,
      scorer_tags: row.scorer_tags,
      scorer_tag_reasons: RawJson.fromText(row.scorer_tag_reasons),
      scorer_tag_confidences: RawJson.fromText(row.scorer_tag_confidences),
      scorer_ratings: RawJson.fromText(row.scorer_ratings),
      scorer_rating_reasons: RawJson.fromText(row.scorer_rating_reasons),
      scorer_rating_confidences: RawJson.fromText(row.scorer_rating_confidences),
    }),
  )
}
