import { type Catalog, oldestFirst } from '../../core/backup/catalog.ts'
import {
  type BackupManifest,
  type BackupStartMark,
  backupTime,
  isBackupId,
  parseManifest,
  parseStartMark,
} from '../../core/backup/manifest.ts'
import type { BackupTarget } from './backup-target.ts'

/** Reads and changes the list of backups in a target: `ID/` has the data, `ID.json` the manifest, `ID.started` the mark. */

export const manifestPath = (id: string): string => `${id}.json`
export const markPath = (id: string): string => `${id}.started`

export async function readCatalog(target: BackupTarget): Promise<Catalog> {
  const names = await target.list()
  const ids = [...new Set(names.map((name) => name.replace(/\.(json|started)$/, '')))]
    .filter((id) => isBackupId(id))
    .toSorted()
  const complete: BackupManifest[] = []
  const incomplete: { id: string; mark: BackupStartMark | undefined }[] = []
  for (const id of ids) {
    const manifest = names.includes(manifestPath(id)) ? await readManifest(target, id) : undefined
    if (manifest !== undefined) complete.push(manifest)
    else incomplete.push({ id, mark: await readMark(target, id) })
  }
  return { complete: oldestFirst(complete), incomplete }
}

/** When the newest complete backup began, from its name: manifests are large. Undefined if there is none. */
export async function findLatestBackupTime(target: BackupTarget): Promise<number | undefined> {
  const times = (await target.list())
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => isBackupId(id))
    .map(backupTime)
  return times.length === 0 ? undefined : Math.max(...times)
}

async function readManifest(target: BackupTarget, id: string): Promise<BackupManifest | undefined> {
  const text = await target.readText(manifestPath(id))
  if (text === undefined) return undefined
  try {
    const manifest = parseManifest(text)
    if (manifest.id !== id) throw new Error(`it is the manifest of ${manifest.id}`)
    return manifest
  } catch (error) {
    throw new Error(
      `${manifestPath(id)} in ${target.name} is damaged, or of a newer version of Heddle; copy it again, run a newer Heddle, or move the file and the directory ${id} elsewhere`,
      { cause: error },
    )
  }
}

/** An unreadable mark counts as none: the backup is incomplete either way. */
async function readMark(target: BackupTarget, id: string): Promise<BackupStartMark | undefined> {
  try {
    const text = await target.readText(markPath(id))
    return text === undefined ? undefined : parseStartMark(text)
  } catch {
    return undefined
  }
}

/** The manifest goes first: from then on the backup does not count, even if the deletion is interrupted. */
export async function removeBackup(target: BackupTarget, id: string): Promise<void> {
  await target.remove(manifestPath(id))
  await target.removeAll(id)
  await target.remove(markPath(id))
}
