import type { RawJson } from '../../contract/raw-json.ts'
import { tableDigest, valueDigest } from '../../core/objects/digest.ts'
import { copyFiles } from './files.ts'
import { Mentions } from './mentions.ts'
import { isRefusal } from './report.ts'
import { inBatches, type Transfer } from './transfer.ts'

const PAGE_ROWS = 1_000
const BATCH_BYTES = 8 * 1024 * 1024

/** Copies what rows name before the rows themselves: their digests may depend on it. */
type CopyMentioned = (mentions: Mentions) => Promise<void>

export async function copyTable(
  transfer: Transfer,
  digest: string,
  copyMentioned: CopyMentioned,
): Promise<void> {
  const { journal, report, refs } = transfer
  if (journal.has('table', digest)) return
  const row_digests: string[] = []
  const renamed: [string, string][] = []
  for (;;) {
    const rows = await readRows(transfer, digest, row_digests.length)
    for (const [row, becomes] of await copyRows(transfer, rows, copyMentioned)) {
      row_digests.push(becomes)
      if (row !== becomes) renamed.push([row, becomes])
    }
    transfer.progress.at('rows', report.copied.rows)
    if (rows.length < PAGE_ROWS) break
  }
  const becomes = tableDigest(row_digests)
  if (row_digests.length === 0 && becomes !== digest) {
    report.isMissing(`table ${digest}`)
    return
  }
  if (renamed.length === 0 && becomes !== digest) {
    report.problem(`table ${digest}`, `its rows have the digest ${becomes}`)
  }
  await transfer.to.call('table_create_from_digests', {
    project_id: transfer.to_project_id,
    row_digests,
    expected_digest: becomes,
  })
  for (const [row, as] of renamed) refs.row(row, as)
  refs.table(digest, becomes)
  report.copied.tables++
  journal.addAll('row', renamed)
  journal.add('table', digest, becomes)
}

interface Row {
  readonly digest: string
  readonly val: RawJson
}

async function readRows({ from, project_id }: Transfer, digest: string, offset: number): Promise<Row[]> {
  const { rows } = await from.call('table_query', { project_id, digest, limit: PAGE_ROWS, offset })
  return rows
}

/** The digest of each row there and here, in order. */
async function copyRows(
  transfer: Transfer,
  rows: readonly Row[],
  copyMentioned: CopyMentioned,
): Promise<[string, string][]> {
  const { refs, report, to, to_project_id, project_id } = transfer
  const mentions = new Mentions(project_id).add(...rows.map((row) => row.val))
  await copyFiles(transfer, mentions.files)
  await copyMentioned(mentions)
  const copies = rows.map((row) => {
    const val = refs.json(row.val)
    const becomes = valueDigest(val)
    if (becomes !== row.digest && !val.bytes.includes(REF)) {
      report.problem(`row ${row.digest}`, `its value has the digest ${becomes}`)
    }
    return { digest: row.digest, becomes, val }
  })
  for (const batch of inBatches(copies, PAGE_ROWS, BATCH_BYTES, (row) => row.val.bytes.length)) {
    // A table of just these rows is left behind; there is no other way to send rows, and it is a few bytes a row.
    const table = { project_id: to_project_id, rows: batch.map((row) => row.val) }
    try {
      await to.call('table_create', { table })
      report.copied.rows += batch.length
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.problem(`rows ${batch[0]?.digest} and following`, error)
    }
  }
  return copies.map(({ digest, becomes }) => [digest, becomes])
}

/** Values without refs have the same digest on every server. */
const REF = '"weave:///'
