import { RawJson } from '../../contract/raw-json.ts'
import type { ExportedRow } from './export-files.ts'
import type { Loading } from './loading.ts'
import { isRefusal } from './report.ts'
import { inBatches } from './transfer.ts'

/** A table goes in one request up to here: in several it leaves tables of its parts behind. */
const TABLE_BYTES = 24 * 1024 * 1024
const ROWS_AT_ONCE = 100_000

/** Pieces of a file, and rows of a table, come one after the other; `isLast` says when one is whole. */
async function eachWhole(
  { files, journal, progress }: Loading,
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
    progress.at(what, done)
  }
}

export async function loadFiles(loading: Loading): Promise<void> {
  const { to, to_project_id: project_id } = loading
  const isLast = (row: ExportedRow): boolean => Number(row['chunk']) + 1 === row['chunks']
  await eachWhole(loading, 'files', isLast, async (rows) => {
    const file = Buffer.concat(rows.map((row) => Buffer.from(row['base64'] as string, 'base64')))
    const digest = rows[0]?.['digest'] as string
    await attempt(loading, `file ${digest}`, async () => {
      await to.call('file_create', { project_id, file, expected_digest: digest })
      loading.report.copied.files++
    })
  })
}

export async function loadTables(loading: Loading): Promise<void> {
  const isLast = (row: ExportedRow): boolean => Number(row['original_index']) + 1 >= Number(row['row_count'])
  await eachWhole(loading, 'tables', isLast, async (rows) => {
    const digest = rows[0]?.['digest'] as string
    await attempt(loading, `table ${digest}`, async () => {
      await sendTable(loading, digest, rows)
      loading.report.copied.tables++
      loading.report.copied.rows += rows.filter((row) => row['row_digest'] !== null).length
    })
  })
}

async function sendTable(
  { to, to_project_id: project_id }: Loading,
  digest: string,
  rows: readonly ExportedRow[],
): Promise<void> {
  const row_digests = rows.flatMap((row) =>
    typeof row['row_digest'] === 'string' ? [row['row_digest']] : [],
  )
  const vals = rows.flatMap((row) => (row['val'] instanceof RawJson ? [row['val']] : []))
  const batches = inBatches(vals, ROWS_AT_ONCE, TABLE_BYTES, (val) => val.bytes.length)
  if (vals.length === row_digests.length && batches.length <= 1) {
    await to.call('table_create', { table: { project_id, rows: vals, expected_digest: digest } })
    return
  }
  for (const batch of batches) await to.call('table_create', { table: { project_id, rows: batch } })
  await to.call('table_create_from_digests', { project_id, row_digests, expected_digest: digest })
}

/** What is refused is told, and the rest goes on. A digest that comes out differently is refused. */
export async function attempt({ report }: Loading, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    report.digests.equal++
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.problem(what, error)
  }
}
