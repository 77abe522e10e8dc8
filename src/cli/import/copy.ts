import { verifyCopy, countCalls, countFeedback } from './compare.ts'
import { copyCalls } from './calls.ts'
import { copyCosts } from './costs.ts'
import { copyFeedback } from './feedback.ts'
import { copyLabels } from './labels.ts'
import { listVersions, ObjectsCopy } from './objects.ts'
import type { Transfer } from './transfer.ts'

/**
 * Copies a whole project. Objects come first, with the tables and files they reference, because calls reference them
 * by digest. Then calls, feedback and prices. Finally both servers are compared.
 */
export async function copyProject(transfer: Transfer): Promise<void> {
  const { from, project_id, journal, refs, progress } = transfer
  for (const [key, digest] of journal.entries('object')) refs.addObject(key, digest)
  for (const [digest, newDigest] of journal.entries('table')) refs.addTable(digest, newDigest)
  for (const [digest, newDigest] of journal.entries('row')) refs.addRow(digest, newDigest)

  const versions = await listVersions(from, project_id)
  progress.setTotal('objects', versions.length)
  progress.setTotal('calls', await countCalls(from, project_id))
  progress.setTotal('feedback', await countFeedback(from, project_id))

  const objects = new ObjectsCopy(transfer, versions)
  await objects.copyAll()
  await copyLabels(transfer, versions)
  await copyCalls(transfer, objects)
  await copyFeedback(transfer, objects)
  await copyCosts(transfer)
  await verifyCopy(transfer)
  progress.end()
}
