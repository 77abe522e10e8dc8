import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../client/client.ts'
import { type RetryOptions, withRetries } from '../../client/retry.ts'
import { type ExportKind, EXPORT_NEXT_HEADER, EXPORT_ROWS_HEADER } from '../../contract/export/export.ts'
import type { Progress } from '../import/progress.ts'
import type { Manifest, ExportFile } from './manifest.ts'

/** Downloads the files of one export. */

/** The state of a running export. */
export interface ExportJob {
  readonly client: Client
  readonly directory: string
  readonly manifest: Manifest
  readonly rowsPerFile: number
  readonly retry: RetryOptions
  readonly progress: Progress
}

/** Exports all records of one type, file by file, starting where an earlier run stopped. */
export async function exportRecords(job: ExportJob, what: ExportKind): Promise<void> {
  const { manifest, progress } = job
  const files = manifest.filesOf(what)
  let done = files.reduce((sum, file) => sum + file.rows, 0)
  let last = files.at(-1)
  progress.setTotal(what, done + (last?.next === null ? 0 : await countRemaining(job, what, last?.next)))
  progress.update(what, done)
  for (let n = files.length + 1; last?.next !== null; n++) {
    const after = last?.next
    const file = `${what}-${String(n).padStart(6, '0')}.${manifest.head.format}`
    // An interrupted file is downloaded again from its start.
    last = await withRetries(job.retry, () => exportFile(job, what, after, file))
    manifest.add(last)
    done += last.rows
    progress.update(what, done)
  }
}

function exportRequest({ manifest }: ExportJob, what: ExportKind, after: string | undefined) {
  const { project_id, filter, query } = manifest.head
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project, what, filter, query, ...(after === undefined ? {} : { after }) }
}

async function countRemaining(job: ExportJob, what: ExportKind, after: string | undefined): Promise<number> {
  return (await job.client.call('project_export_count', exportRequest(job, what, after))).count
}

async function exportFile(
  job: ExportJob,
  what: ExportKind,
  after: string | undefined,
  file: string,
): Promise<ExportFile> {
  const { client, manifest, rowsPerFile, directory } = job
  const { format, columns } = manifest.head
  const { headers, bytes } = await client.call('project_export', {
    ...exportRequest(job, what, after),
    format,
    columns: columns === null ? null : [...columns],
    limit: rowsPerFile,
  })
  const rows = Number(headers[EXPORT_ROWS_HEADER])
  const next = headers[EXPORT_NEXT_HEADER]
  if (!Number.isSafeInteger(rows)) throw new Error(`the response has no header ${EXPORT_ROWS_HEADER}`)
  const written = await writeFileAtomically(join(directory, file), bytes)
  const isLast = rows < rowsPerFile || next === undefined
  return { what, file, rows, ...written, next: isLast ? null : decodeURIComponent(next) }
}

/** Writes to a temporary name, syncs, then renames: a file under its final name is always complete. */
async function writeFileAtomically(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  const hash = createHash('sha256')
  let length = 0
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      length += chunk.length
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  return { bytes: length, sha256: hash.digest('hex') }
}
