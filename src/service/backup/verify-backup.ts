import { type Catalog, readChain } from '../../core/backup/catalog.ts'
import { storedFiles } from '../../core/backup/manifest.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'
import { findFileProblem, findListingProblems, findListProblems } from './chain-source.ts'
import { forEachConcurrently } from './hash-files.ts'

export interface Verification {
  readonly id: string
  /** The backup and those that it builds on. */
  readonly chain: readonly string[]
  readonly files: number
  readonly bytes: number
  readonly problems: readonly string[]
}

/**
 * Compares every file of a backup, and of those that it builds on, with the checksums in the manifests, and looks for
 * what a restore would refuse.
 */
export async function verifyBackup(
  target: BackupTarget,
  catalog: Catalog,
  id: string,
  progress: BackupProgress,
): Promise<Verification> {
  const chain = readChain(catalog, id)
  const files = chain.flatMap(storedFiles)
  const { unexpected } = await findListingProblems(target, chain)
  const problems = new Set([...unexpected, ...(await findListProblems(target, chain))])
  let done = 0
  progress.setTotal('checksums', files.length)
  await forEachConcurrently(files, async (file) => {
    const problem = await findFileProblem(target, file)
    if (problem !== undefined) problems.add(problem)
    progress.update('checksums', ++done)
  })
  return {
    id,
    chain: chain.map((backup) => backup.id),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    problems: [...problems].toSorted(),
  }
}
