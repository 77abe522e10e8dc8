import { RawJson } from '../../contract/raw-json.ts'
import type { ExportedRow } from './export-files.ts'
import type { LoadJob } from './load-job.ts'
import { isRejection } from './report.ts'
import { splitBatches } from './transfer.ts'

/** Maximum size of a table sent in one request. Sending it in several leaves tables of its parts behind. */
const MAX_TABLE_BYTES = 24 * 1024 * 1024
const MAX_BATCH_ROWS = 100_000

/** Chunks of a file and rows of a table are consecutive in the export; `isLast` marks the end of one. */
async function forEachComplete(
  { files, journal, progress }: LoadJob,
  what: 'files' | 'tables',
  isLast: (row: ExportedRow) => boolean,
  send: (rows: readonly ExportedRow[]) => Promise<void>,
): Promise<void> {
  let done = Number(journal.get('cursor', what) ?? 0)
  let rows: ExportedRow[] = []
  for await (const row of files.rows(what, done)) {
    rows.push(row)
    if (!isLast(row)) continue
    await send(rows)
    done += rows.length
    rows = []
    journal.add('cursor', what, String(done))
    progress.update(what, done)
  }
}

export async function loadFiles(job: LoadJob): Promise<void> {
  const { to, to_project_id: project_id } = job
  const isLast = (row: ExportedRow): boolean => Number(row['chunk']) + 1 === row['chunks']
  await forEachComplete(job, 'files', isLast, async (rows) => {
    const file = Buffer.concat(rows.map((row) => Buffer.from(row['base64'] as string, 'base64')))
    const digest = rows[0]?.['digest'] as string
    await reportRejection(job, `file ${digest}`, async () => {
      await to.call('file_create', { project_id, file, expected_digest: digest })
      job.report.copied.files++
    })
  })
}

export async function loadTables(job: LoadJob): Promise<void> {
  const isLast = (row: ExportedRow): boolean => Number(row['original_index']) + 1 >= Number(row['row_count'])
  await forEachComplete(job, 'tables', isLast, async (rows) => {
    const digest = rows[0]?.['digest'] as string
    await reportRejection(job, `table ${digest}`, async () => {
      await sendTable(job, digest, rows)
      job.report.copied.tables++
      job.report.copied.rows += rows.filter((row) => row['row_digest'] !== null).length
    })
  })
}

async function sendTable(
  { to, to_project_id: project_id }: LoadJob,
  digest: string,
  rows: readonly ExportedRow[],
): Promise<void> {
  const row_digests = rows.flatMap((row) =>
    typeof row['row_digest'] === 'string' ? [row['row_digest']] : [],
  )
  const vals = rows.flatMap((row) => (row['val'] instanceof RawJson ? [row['val']] : []))
  const batches = splitBatches(vals, MAX_BATCH_ROWS, MAX_TABLE_BYTES, (val) => val.bytes.length)
  if (vals.length === row_digests.length && batches.length <= 1) {
    await to.call('table_create', { table: { project_id, rows: vals, expected_digest: digest } })
    return
  }
  for (const batch of batches) await to.call('table_create', { table: { project_id, rows: batch } })
  await to.call('table_create_from_digests', { project_id, row_digests, expected_digest: digest })
}

/** Adds a rejection to the report and continues. The server rejects a digest that differs. */
export async function reportRejection(
  { report }: LoadJob,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
    report.digests.equal++
  } catch (error) {
    if (!isRejection(error)) throw error
    report.addProblem(what, error)
  }
}
