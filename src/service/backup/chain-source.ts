import { createHash } from 'node:crypto'
import { type FileListLinks, parseLinks, replaceBase } from '../../core/backup/file-list.ts'
import {
  type BackupFile,
  type BackupManifest,
  backupShards,
  shardPath,
  storedFiles,
} from '../../core/backup/manifest.ts'
import { type BackupDestination, destinationText } from '../../store/backup/backup-statements.ts'
import type { BackupTarget } from './backup-target.ts'
import { forEachConcurrently } from './hash-files.ts'

/**
 * Where ClickHouse reads a backup and those it builds on. Its list of files, `.backup`, names the place that the base had
 * when the backup was made, and RESTORE accepts another one only for the first base of a chain. All of them must be read
 * from the target that is restored: it may be a copy, and the original may be elsewhere, or damaged.
 */
export interface ChainSource {
  readonly destination: BackupDestination
  readonly base: BackupDestination | undefined
  /** Removes what was made for reading it. */
  close(): Promise<void>
}

interface StoredFileList {
  /** Of the backup, or of the shard in it. */
  readonly path: string
  readonly links: FileListLinks
}

/** `chain` begins with the backup to restore. Throws if ClickHouse would not read exactly this chain. */
export async function openChain(
  target: BackupTarget,
  chain: readonly BackupManifest[],
  shard: number,
): Promise<ChainSource> {
  const problem =
    (await findListProblem(target, chain, shard, 1)) ?? (await findDefinitionProblem(target, chain))
  if (problem !== undefined)
    throw new Error(
      `backup ${chain[0]?.id} cannot be restored: ${problem}; \`heddle backups verify\` shows everything that is wrong`,
    )
  const lists = await readFileLists(target, chain, shard)
  const paths = lists.map(({ path }) => path)
  // RESTORE names the base of the first one.
  const isInPlace = lists.slice(1).every((list, i) => namesBase(target, list, lists[i + 2]))
  if (target.createView === undefined || isInPlace)
    return { ...locate(paths, (path) => target.destination(path)), close: async () => {} }
  const view = await target.createView()
  try {
    for (const [i, path] of paths.entries()) {
      const base = paths[i + 1]
      const text = (await target.readText(`${path}/.backup`)) ?? ''
      await view.add(
        path,
        base === undefined ? text : replaceBase(text, destinationText(view.destination(base))),
      )
    }
  } catch (error) {
    await view.remove()
    throw error
  }
  return { ...locate(paths, (path) => view.destination(path)), close: () => view.remove() }
}

/** What keeps ClickHouse from reading the chains of all shards, according to their lists of files. */
export async function findListProblems(
  target: BackupTarget,
  chain: readonly BackupManifest[],
): Promise<string[]> {
  const shards = [...backupShards(chain[0] as BackupManifest).keys()]
  const problems = await Promise.all(shards.map((shard) => findListProblem(target, chain, shard, 1)))
  return problems.filter((problem) => problem !== undefined)
}

/**
 * What would keep a backup that builds on this chain from being restored. Reads two lists of files, which may be large:
 * those of earlier backups were compared when they were the latest.
 */
export async function findBaseProblem(
  target: BackupTarget,
  chain: readonly BackupManifest[],
): Promise<string | undefined> {
  const { lacking } = await findListingProblems(target, chain)
  if (lacking[0] !== undefined) return lacking[0]
  for (const shard of backupShards(chain[0] as BackupManifest).keys()) {
    const problem = await findListProblem(target, chain.slice(0, 2), shard, 0)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Compares the target's listing with the manifests. Much faster than reading the files. */
export async function findListingProblems(
  target: BackupTarget,
  chain: readonly BackupManifest[],
): Promise<{ readonly lacking: string[]; readonly unexpected: string[] }> {
  const lacking: string[] = []
  const unexpected: string[] = []
  await forEachConcurrently(chain, async (backup) => {
    const listed = await target.listFiles(backup.id)
    const sizes = new Map(listed.map(({ path, size }) => [`${backup.id}/${path}`, size]))
    for (const { path, size } of storedFiles(backup)) {
      const found = sizes.get(path)
      if (found === undefined) lacking.push(missing(path))
      else if (found !== size) lacking.push(wrongSize(path, found, size))
      sizes.delete(path)
    }
    for (const path of sizes.keys()) unexpected.push(`${path} does not belong to the backup`)
  })
  return { lacking, unexpected }
}

/** Reads a file and compares it with its entry in the manifest. Returns what is wrong. */
export async function findFileProblem(
  target: BackupTarget,
  { path, size, sha256 }: BackupFile,
): Promise<string | undefined> {
  try {
    const found = await target.hash(path, 'stored')
    if (found === undefined) return missing(path)
    if (found.size !== size) return wrongSize(path, found.size, size)
    return found.sha256 === sha256 ? undefined : changed(path)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

class DamagedFile extends Error {}

/** One after the other, and without their texts: each names all files of the database. */
async function readFileLists(
  target: BackupTarget,
  chain: readonly BackupManifest[],
  index: number,
): Promise<StoredFileList[]> {
  const lists: StoredFileList[] = []
  for (const backup of chain) {
    const shard = backupShards(backup)[index]
    if (shard === undefined) throw new DamagedFile(`backup ${backup.id} has no shard ${index + 1}`)
    const path = shardPath(backup.id, shard)
    const file = `${path}/.backup`
    const text = await target.readText(file)
    if (text === undefined) throw new DamagedFile(missing(file))
    const entry = shard.files.find((each) => each.path === '.backup')
    if (entry?.sha256 !== createHash('sha256').update(text).digest('hex'))
      throw new DamagedFile(changed(file))
    lists.push({ path, links: parseLinks(text) })
  }
  return lists
}

/** Bases are named by the lists from the index `named` on. */
async function findListProblem(
  target: BackupTarget,
  chain: readonly BackupManifest[],
  shard: number,
  named: number,
): Promise<string | undefined> {
  try {
    const lists = await readFileLists(target, chain, shard)
    for (const [i, list] of lists.entries()) {
      const base_id = chain[i]?.base_id ?? null
      const base = lists[i + 1]
      if (
        (list.links.base === undefined) !== (base_id === null) ||
        (base !== undefined && base.links.uuid !== list.links.baseUuid)
      )
        return `${list.path} does not build on ${base_id ?? 'nothing'}, as its manifest says`
      if (target.createView === undefined && i >= named && !namesBase(target, list, base))
        return `ClickHouse would read what ${list.path} builds on from ${list.links.base}; name the disk of ClickHouse as it was named then, and set HEDDLE_BACKUP_DISK to that name`
    }
    return undefined
  } catch (error) {
    if (error instanceof DamagedFile) return error.message
    throw error
  }
}

function namesBase(target: BackupTarget, list: StoredFileList, base: StoredFileList | undefined): boolean {
  return base === undefined || list.links.base === destinationText(target.destination(base.path))
}

/** A restore finds damaged data by the checksums of parts. Definitions of tables have none in ClickHouse. */
async function findDefinitionProblem(
  target: BackupTarget,
  chain: readonly BackupManifest[],
): Promise<string | undefined> {
  for (const file of chain.flatMap(storedFiles)) {
    if (!/^(shard-\d+\/)?metadata\//.test(file.path.slice(file.path.indexOf('/') + 1))) continue
    const problem = await findFileProblem(target, file)
    if (problem !== undefined) return problem
  }
  return undefined
}

function locate(
  [path = '', base]: readonly string[],
  destination: (path: string) => BackupDestination,
): Pick<ChainSource, 'destination' | 'base'> {
  return { destination: destination(path), base: base === undefined ? undefined : destination(base) }
}

const missing = (path: string): string => `${path} is missing`
const changed = (path: string): string => `${path} has changed: its checksum is wrong`
const wrongSize = (path: string, found: number, expected: number): string =>
  `${path} has ${found} bytes instead of ${expected}`

/** Errors of one file, as opposed to those of the whole target. */
function isUnreadable(error: unknown): boolean {
  return /^(EACCES|EPERM|EISDIR|EIO|ELOOP)$/.test(String((error as NodeJS.ErrnoException).code))
}
