import type { RawJson } from '../../contract/raw-json.ts'
import { tableDigest, valueDigest } from '../../core/objects/digest.ts'
import { copyFiles } from './files.ts'
import { References } from './references.ts'
import { isRejection } from './report.ts'
import { splitBatches, type Transfer } from './transfer.ts'

const PAGE_ROWS = 1_000
const BATCH_BYTES = 8 * 1024 * 1024

/** Copies what rows reference before the rows, because their digests may depend on it. */
type CopyReferenced = (references: References) => Promise<void>

export async function copyTable(
  transfer: Transfer,
  digest: string,
  copyReferenced: CopyReferenced,
): Promise<void> {
  const { journal, report, refs } = transfer
  if (journal.has('table', digest)) return
  const row_digests: string[] = []
  const renamed: [string, string][] = []
  for (;;) {
    const rows = await readRows(transfer, digest, row_digests.length)
    for (const [row, newDigest] of await copyRows(transfer, rows, copyReferenced)) {
      row_digests.push(newDigest)
      if (row !== newDigest) renamed.push([row, newDigest])
    }
    transfer.progress.update('rows', report.copied.rows)
    if (rows.length < PAGE_ROWS) break
  }
  const newDigest = tableDigest(row_digests)
  if (row_digests.length === 0 && newDigest !== digest) {
    report.addMissing(`table ${digest}`)
    return
  }
  if (renamed.length === 0 && newDigest !== digest) {
    report.addProblem(`table ${digest}`, `its rows have the digest ${newDigest}`)
  }
  await transfer.to.call('table_create_from_digests', {
    project_id: transfer.to_project_id,
    row_digests,
    expected_digest: newDigest,
  })
  for (const [row, rowDigest] of renamed) refs.addRow(row, rowDigest)
  refs.addTable(digest, newDigest)
  report.copied.tables++
  journal.addAll('row', renamed)
  journal.add('table', digest, newDigest)
}

interface Row {
  readonly digest: string
  readonly val: RawJson
}

async function readRows({ from, project_id }: Transfer, digest: string, offset: number): Promise<Row[]> {
  const { rows } = await from.call('table_query', { project_id, digest, limit: PAGE_ROWS, offset })
  return rows
}

/** Returns the digests of each row at source and target, in order. */
async function copyRows(
  transfer: Transfer,
  rows: readonly Row[],
  copyReferenced: CopyReferenced,
): Promise<[string, string][]> {
  const { refs, report, to, to_project_id, project_id } = transfer
  const references = new References(project_id).add(...rows.map((row) => row.val))
  await copyFiles(transfer, references.files)
  await copyReferenced(references)
  const copies = rows.map((row) => {
    const val = refs.rewriteJson(row.val)
    const newDigest = valueDigest(val)
    if (newDigest !== row.digest && !val.bytes.includes(REF)) {
      report.addProblem(`row ${row.digest}`, `its value has the digest ${newDigest}`)
    }
    return { digest: row.digest, newDigest, val }
  })
  for (const batch of splitBatches(copies, PAGE_ROWS, BATCH_BYTES, (row) => row.val.bytes.length)) {
    // Leaves a table of just these rows behind, a few bytes per row; the API has no other way to send rows.
    const table = { project_id: to_project_id, rows: batch.map((row) => row.val) }
    try {
      await to.call('table_create', { table })
      report.copied.rows += batch.length
    } catch (error) {
      if (!isRejection(error)) throw error
      report.addProblem(`rows ${batch[0]?.digest} and following`, error)
    }
  }
  return copies.map(({ digest, newDigest }) => [digest, newDigest])
}

/** Values without refs have the same digest on every server. */
const REF = '"weave:///'
