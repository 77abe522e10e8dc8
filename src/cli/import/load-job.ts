import type { Client } from '../../client/client.ts'
import type { ExportKind } from '../../contract/export/export.ts'
import type { ExportedRow, ExportFiles } from './export-files.ts'
import type { Journal } from './journal.ts'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'

/** The state of one import from export files. */
export interface LoadJob {
  readonly files: ExportFiles
  readonly to: Client
  readonly to_project_id: string
  readonly journal: Journal
  readonly report: Report
  readonly progress: Progress
}

/** Sends rows in batches, starting where an earlier run stopped; journals a batch after it was acknowledged. */
export async function forEachBatch(
  { files, journal, progress }: LoadJob,
  what: ExportKind,
  size: number,
  send: (rows: readonly ExportedRow[]) => Promise<void>,
): Promise<void> {
  let done = Number(journal.get('cursor', what) ?? 0)
  let batch: ExportedRow[] = []
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return
    await send(batch)
    done += batch.length
    batch = []
    journal.add('cursor', what, String(done))
    progress.update(what, done)
  }
  for await (const row of files.rows(what, done)) {
    batch.push(row)
    if (batch.length === size) await flush()
  }
  await flush()
}
