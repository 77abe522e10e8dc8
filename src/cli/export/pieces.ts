import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../client/client.ts'
import { type Patience, patiently } from '../../client/retrying-fetch.ts'
import { type Exported, NEXT_HEADER, ROWS_HEADER } from '../../contract/export/export.ts'
import type { Progress } from '../import/progress.ts'
import type { Manifest, PieceDone } from './manifest.ts'

/** One export: where from, where to, and how it is told. */
export interface Taking {
  readonly client: Client
  readonly directory: string
  readonly manifest: Manifest
  readonly rowsPerFile: number
  readonly patience: Patience
  readonly progress: Progress
}

/** Everything of one noun, file after file, from where an earlier run ended. */
export async function takeAll(taking: Taking, what: Exported): Promise<void> {
  const { manifest, progress } = taking
  const pieces = manifest.of(what)
  let done = pieces.reduce((sum, piece) => sum + piece.rows, 0)
  let last = pieces.at(-1)
  progress.total(what, done + (last?.next === null ? 0 : await countRest(taking, what, last?.next)))
  progress.at(what, done)
  for (let n = pieces.length + 1; last?.next !== null; n++) {
    const after = last?.next
    const file = `${what}-${String(n).padStart(6, '0')}.${manifest.head.format}`
    // Over again from its beginning if it breaks off.
    last = await patiently(taking.patience, () => takePiece(taking, what, after, file))
    manifest.add(last)
    done += last.rows
    progress.at(what, done)
  }
}

function requestOf({ manifest }: Taking, what: Exported, after: string | undefined) {
  const { project_id, filter, query } = manifest.head
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project, what, filter, query, ...(after === undefined ? {} : { after }) }
}

async function countRest(taking: Taking, what: Exported, after: string | undefined): Promise<number> {
  return (await taking.client.call('project_export_count', requestOf(taking, what, after))).count
}

async function takePiece(
  taking: Taking,
  what: Exported,
  after: string | undefined,
  file: string,
): Promise<PieceDone> {
  const { client, manifest, rowsPerFile, directory } = taking
  const { format, columns } = manifest.head
  const { headers, bytes } = await client.call('project_export', {
    ...requestOf(taking, what, after),
    format,
    columns: columns === null ? null : [...columns],
    limit: rowsPerFile,
  })
  const rows = Number(headers[ROWS_HEADER])
  const next = headers[NEXT_HEADER]
  if (!Number.isSafeInteger(rows)) throw new Error('the server did not say how many rows it sends')
  const stored = await store(join(directory, file), bytes)
  const isLast = rows < rowsPerFile || next === undefined
  return { what, file, rows, ...stored, next: isLast ? null : decodeURIComponent(next) }
}

/** Under its name only when it is whole and on the disk. */
async function store(
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
