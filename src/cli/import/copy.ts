import { compareSides, countCalls, countFeedback } from './compare.ts'
import { copyCalls } from './calls.ts'
import { copyCosts } from './costs.ts'
import { copyFeedback } from './feedback.ts'
import { copyLabels } from './labels.ts'
import { listVersions, ObjectsCopy } from './objects.ts'
import type { Transfer } from './transfer.ts'

/**
 * A whole project: objects first, with the tables and files they name, because digests must be known before they are
 * named by calls; then calls, feedback and prices; then both sides are compared.
 */
export async function copyProject(transfer: Transfer): Promise<void> {
  const { from, project_id, journal, refs, progress } = transfer
  for (const [key, digest] of journal.entries('object')) refs.object(key, digest)
  for (const [digest, becomes] of journal.entries('table')) refs.table(digest, becomes)
  for (const [digest, becomes] of journal.entries('row')) refs.row(digest, becomes)

  const versions = await listVersions(from, project_id)
  progress.total('objects', versions.length)
  progress.total('calls', await countCalls(from, project_id))
  progress.total('feedback', await countFeedback(from, project_id))

  const objects = new ObjectsCopy(transfer, versions)
  await objects.copyAll()
  await copyLabels(transfer, versions)
  await copyCalls(transfer, objects)
  await copyFeedback(transfer, objects)
  await copyCosts(transfer)
  await compareSides(transfer)
  progress.end()
}
