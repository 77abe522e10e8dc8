import type { Exported } from '../../contract/export/export.ts'
import { exportedCalls } from './calls.ts'
import { exportedFeedback } from './feedback.ts'
import { exportedFiles } from './files.ts'
import { exportedObjects } from './objects.ts'
import type { ExportColumn } from './source.ts'
import { exportedTables } from './tables.ts'

/** What the files of an export hold, for whoever reads them. */
export const EXPORT_COLUMNS: Readonly<Record<Exported, readonly ExportColumn[]>> = {
  calls: exportedCalls('', []).columns,
  feedback: exportedFeedback('', undefined).columns,
  objects: exportedObjects('', {}).columns,
  tables: exportedTables('', []).columns,
  files: exportedFiles('', []).columns,
}
