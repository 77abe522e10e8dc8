import type { BackupFile } from '../../core/backup/manifest.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'

/** Files read at the same time: one request to S3 takes tens of milliseconds. */
const CONCURRENT_FILES = 8

/** Runs `work` on all items, a few at a time. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) await work(items[i]!, i)
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, run))
}

/**
 * Reads back every file that ClickHouse wrote, for the checksums in the manifest. Returns them for each directory: the one
 * of the backup, or those of the shards in it.
 */
export async function hashFiles(
  target: BackupTarget,
  id: string,
  directories: readonly string[],
  progress: BackupProgress,
  signal: AbortSignal | undefined,
): Promise<BackupFile[][]> {
  const listed = await target.listFiles(id)
  const files: BackupFile[] = []
  progress.setTotal('checksums', listed.length)
  let done = 0
  await forEachConcurrently(listed, async ({ path }, i) => {
    if (signal?.aborted === true) throw new Error('cancelled')
    const hashed = await target.hash(`${id}/${path}`, 'new')
    if (hashed === undefined) throw new Error(`${path} of backup ${id} has disappeared`)
    files[i] = { path, ...hashed }
    progress.update('checksums', ++done)
  })
  return directories.map((directory) => {
    const prefix = directory === '' ? '' : `${directory}/`
    const own = files
      .filter(({ path }) => path.startsWith(prefix))
      .map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
    if (!own.some(({ path }) => path === '.backup'))
      throw new Error(
        `ClickHouse has written backup ${id}, but ${prefix}.backup is not in ${target.name}; the setting HEDDLE_BACKUP_TARGET must name the place that ClickHouse writes to, which all servers of a cluster share`,
      )
    return own
  })
}
