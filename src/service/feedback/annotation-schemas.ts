import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find } from '../../core/json/navigate.ts'
import { findMismatch } from '../../core/json/json-schema.ts'
import { type ObjectRef, parseRef } from '../../core/objects/ref.ts'
import type { Database } from '../../store/database/database.ts'
import type { FeedbackRow } from '../../store/feedback/feedback.ts'
import { contentKey, findContents } from '../../store/objects/objects.ts'

/**
 * Checks annotations against the JSON schema of their annotation spec. A spec is ignored if it does not exist (yet),
 * is deleted, or belongs to another project, which the caller may not be allowed to read.
 */
export async function checkAnnotations(db: Database, rows: readonly FeedbackRow[]): Promise<void> {
  const annotations = rows.flatMap((row) => {
    const ref = annotationSpecRef(row)
    return ref === undefined
      ? []
      : [{ row, project_id: ref.project_id, object_id: ref.name, digest: ref.digest }]
  })
  for (const project_id of new Set(annotations.map((annotation) => annotation.project_id))) {
    const own = annotations.filter((annotation) => annotation.project_id === project_id)
    const contents = await findContents(db, project_id, own)
    for (const annotation of own) {
      const content = contents.get(contentKey(annotation))
      if (content?.is_alive === true) checkAnnotationValue(annotation.row, content.val)
    }
  }
}

function annotationSpecRef(row: FeedbackRow): ObjectRef | undefined {
  if (row.annotation_ref === null || !row.feedback_type.startsWith('wandb.annotation.')) return undefined
  const ref = parseRef(row.annotation_ref)
  return ref?.kind === 'object' && ref.project_id === row.project_id ? ref : undefined
}

function checkAnnotationValue(row: FeedbackRow, spec: RawJson): void {
  const schema = find(spec, 'field_schema')
  const value = find(RawJson.fromText(row.payload), 'value')
  if (schema === undefined || value === undefined) return
  // Parsed only to compare with the schema. The client's bytes are stored unchanged.
  const mismatch = findMismatch(JSON.parse(value.text), JSON.parse(schema.text), 'payload.value')
  if (mismatch !== undefined)
    throw new ApiError('invalid_request', `${mismatch}, as required by ${row.annotation_ref}`)
}
