import { contentDigest } from '../../core/objects/digest.ts'
import { isRefusal } from './report.ts'
import { eachAtOnce, type Transfer } from './transfer.ts'

const AT_ONCE = 6

/** Copies the files that are not there yet. */
export async function copyFiles(transfer: Transfer, digests: Iterable<string>): Promise<void> {
  const { journal } = transfer
  const wanted = [...digests].filter((digest) => !journal.has('file', digest))
  await eachAtOnce(wanted, AT_ONCE, (digest) => copyFile(transfer, digest))
}

async function copyFile(transfer: Transfer, digest: string): Promise<void> {
  const { from, to, project_id, to_project_id, journal, report } = transfer
  const file = await from.call('file_content', { project_id, digest }).catch((error: unknown) => {
    if (isRefusal(error)) return undefined
    throw error
  })
  if (file === undefined) {
    report.isMissing(`file ${digest}`)
    return
  }
  const found = contentDigest(file)
  if (found !== digest) report.problem(`file ${digest}`, `its bytes have the digest ${found}`)
  try {
    await to.call('file_create', { project_id: to_project_id, file, expected_digest: found })
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.problem(`file ${digest}`, error)
    return
  }
  report.copied.files++
  journal.add('file', digest)
}
