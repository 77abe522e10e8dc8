import { contentDigest } from '../../core/objects/digest.ts'
import { isRejection } from './report.ts'
import { forEachConcurrently, type Transfer } from './transfer.ts'

const MAX_CONCURRENT_FILES = 6

/** Copies the files that were not copied yet. */
export async function copyFiles(transfer: Transfer, digests: Iterable<string>): Promise<void> {
  const { journal } = transfer
  const wanted = [...digests].filter((digest) => !journal.has('file', digest))
  await forEachConcurrently(wanted, MAX_CONCURRENT_FILES, (digest) => copyFile(transfer, digest))
}

async function copyFile(transfer: Transfer, digest: string): Promise<void> {
  const { from, to, project_id, to_project_id, journal, report } = transfer
  const file = await from.call('file_content', { project_id, digest }).catch((error: unknown) => {
    if (isRejection(error)) return undefined
    throw error
  })
  if (file === undefined) {
    report.addMissing(`file ${digest}`)
    return
  }
  const found = contentDigest(file)
  if (found !== digest) report.addProblem(`file ${digest}`, `its bytes have the digest ${found}`)
  try {
    await to.call('file_create', { project_id: to_project_id, file, expected_digest: found })
  } catch (error) {
    if (!isRejection(error)) throw error
    report.addProblem(`file ${digest}`, error)
    return
  }
  report.copied.files++
  journal.add('file', digest)
}
