import type { Client } from '../../client/client.ts'
import type { Exported } from '../../contract/export/export.ts'
import type { ExportedRow, ExportFiles } from './export-files.ts'
import type { Journal } from './journal.ts'
import type { Progress } from './progress.ts'
import type { Report } from './report.ts'

/** One import of an export: its files, where it goes, and what is known of it so far. */
export interface Loading {
  readonly files: ExportFiles
  readonly to: Client
  readonly to_project_id: string
  readonly journal: Journal
  readonly report: Report
  readonly progress: Progress
}

/** Rows in groups, from where an earlier run ended; a group is noted when it was acknowledged. */
export async function eachGroup(
  { files, journal, progress }: Loading,
  what: Exported,
  size: number,
  send: (rows: readonly ExportedRow[]) => Promise<void>,
): Promise<void> {
  let done = Number(journal.get('cursor', what) ?? 0)
  let group: ExportedRow[] = []
  const flush = async (): Promise<void> => {
    if (group.length === 0) return
    await send(group)
    done += group.length
    group = []
    journal.add('cursor', what, String(done))
    progress.at(what, done)
  }
  for await (const row of files.rows(what, done)) {
    group.push(row)
    if (group.length === size) await flush()
  }
  await flush()
}
