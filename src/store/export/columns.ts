import type { ExportKind } from '../../contract/export/export.ts'
import { exportedCalls } from './calls.ts'
import { exportedFeedback } from './feedback.ts'
import { exportedFiles } from './files.ts'
import { exportedObjects } from './objects.ts'
import type { ExportColumn } from './source.ts'
import { exportedTables } from './tables.ts'

/** The columns of export files, for their readers. */
export const EXPORT_COLUMNS: Readonly<Record<ExportKind, readonly ExportColumn[]>> = {
  calls: exportedCalls('', []).columns,
  feedback: exportedFeedback('', undefined).columns,
  objects: exportedObjects('', {}).columns,
  tables: exportedTables('', []).columns,
  files: exportedFiles('', []).columns,
}
