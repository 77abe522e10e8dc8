import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { BackupView } from '../../service/backup/backup-target.ts'
import type { BackupDestination } from '../../store/backup/backup-statements.ts'

const PREFIX = '.restore-view-'

/** Those of a restore that was killed are removed by a later one; none takes this long. */
const LEFT_OVER_MS = 24 * 3_600_000

/** Where links to backups can be created, so that ClickHouse can follow them. */
export interface ViewPlace {
  /** The target. */
  readonly directory: string
  readonly disk: string | undefined
  /** A directory that ClickHouse sees under the same path; undefined: only the target is certain to be one. */
  readonly scratch: string | undefined
}

/** Backups in a directory, seen through links in another one. */
export async function createDirectoryView({ directory, disk, scratch }: ViewPlace): Promise<BackupView> {
  const root = await createRoot(scratch ?? directory, scratch === undefined, directory)
  return {
    destination(path): BackupDestination {
      return disk === undefined
        ? { type: 'file', path: join(root, path) }
        : { type: 'disk', disk, path: `${basename(root)}/${path}` }
    },
    async add(path, fileList) {
      const from = join(root, path)
      await mkdir(from, { recursive: true })
      for (const name of await readdir(join(directory, path))) {
        if (name === '.backup') continue
        const to = join(directory, path, name)
        // The machine of ClickHouse may have the target under another path.
        await symlink(scratch === undefined ? relative(from, to) : to, join(from, name))
      }
      await writeFile(join(from, '.backup'), fileList)
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

async function createRoot(parent: string, isShared: boolean, target: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 })
    await removeLeftOver(parent)
    const root = await mkdtemp(join(parent, PREFIX))
    // ClickHouse may be another user.
    if (isShared) await chmod(root, 0o755)
    return root
  } catch (error) {
    throw new Error(
      `the backups in ${target} were made under another path or disk, so a restore creates links to them in ${parent}, which failed: ${String(error)}; make ${parent} writable, or mount the backups where they were`,
      { cause: error },
    )
  }
}

async function removeLeftOver(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    if (name.startsWith(PREFIX) && (await stat(path)).mtimeMs < Date.now() - LEFT_OVER_MS)
      await rm(path, { recursive: true, force: true })
  }
}
