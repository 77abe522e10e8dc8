import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find } from '../../core/json/navigate.ts'
import { findMismatch } from '../../core/json/json-schema.ts'
import { type ObjectRef, parseRef } from '../../core/objects/ref.ts'
import type { Database } from '../../store/database/database.ts'
import type { FeedbackRow } from '../../store/feedback/feedback.ts'
import { contentKey, findContents } from '../../store/objects/objects.ts'

/**
 * Annotations must fit the schema of the spec they name. A spec that is not there (it may be on its way), that is
 * deleted or that belongs to another project, which the caller may not be allowed to read, asks for nothing.
 */
export async function checkAnnotations(db: Database, rows: readonly FeedbackRow[]): Promise<void> {
  const annotations = rows.flatMap((row) => {
    const ref = specOf(row)
    return ref === undefined
      ? []
      : [{ row, project_id: ref.project_id, object_id: ref.name, digest: ref.digest }]
  })
  for (const project_id of new Set(annotations.map((annotation) => annotation.project_id))) {
    const own = annotations.filter((annotation) => annotation.project_id === project_id)
    const contents = await findContents(db, project_id, own)
    for (const annotation of own) {
      const content = contents.get(contentKey(annotation))
      if (content?.is_alive === true) checkValue(annotation.row, content.val)
    }
  }
}

function specOf(row: FeedbackRow): ObjectRef | undefined {
  if (row.annotation_ref === null || !row.feedback_type.startsWith('wandb.annotation.')) return undefined
  const ref = parseRef(row.annotation_ref)
  return ref?.kind === 'object' && ref.project_id === row.project_id ? ref : undefined
}

function checkValue(row: FeedbackRow, spec: RawJson): void {
  const schema = find(spec, 'field_schema')
  const value = find(RawJson.fromText(row.payload), 'value')
  if (schema === undefined || value === undefined) return
  // Parsed to be compared with bounds; what is stored stays the client's bytes.
  const mismatch = findMismatch(JSON.parse(value.text), JSON.parse(schema.text), 'payload.value')
  if (mismatch !== undefined)
    throw new ApiError('invalid_request', `${mismatch}, as ${row.annotation_ref} says`)
}
