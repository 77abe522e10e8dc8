import type { Client } from '../../client/client.ts'
import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { find } from '../../core/json/navigate.ts'
import { listPrices } from './costs.ts'
import { versionKey, listVersions } from './objects.ts'
import { forEachConcurrently, type Transfer } from './transfer.ts'

const MAX_CONCURRENT_TABLES = 6

/** Verifies a copy: compares the counts that both servers report, and each version and table by digest. */
export async function verifyCopy(transfer: Transfer): Promise<void> {
  const { from, to, project_id, to_project_id, report, journal } = transfer
  const both = async (count: (client: Client, project_id: string) => Promise<number>) => {
    const [theirs, ours] = await Promise.all([count(from, project_id), count(to, to_project_id)])
    return { from: theirs, to: ours }
  }
  report.counts['calls'] = await both(countCalls)
  report.counts['feedback'] = await both(countFeedback)
  report.counts['costs'] = await both(async (client, project) => (await listPrices(client, project)).length)
  const [theirs, ours] = await Promise.all([listVersions(from, project_id), listVersions(to, to_project_id)])
  report.counts['objects'] = { from: theirs.length, to: ours.length }
  compareVersions(transfer, theirs, ours)
  await compareTables(transfer)
  report.counts['files'] = { from: journal.count('file'), to: journal.count('file') }
  for (const kind of ['object', 'table'] as const) {
    for (const [key, digest] of journal.entries(kind)) {
      if (key === digest || key.endsWith(`:${digest}`)) report.digests.equal++
      else report.digests.renamed++
    }
  }
  report.digests.equal += journal.count('file')
}

export async function countCalls(client: Client, project_id: string): Promise<number> {
  return (await client.call('calls_query_stats', { project_id })).count
}

/** Reads the raw response, because older servers do not return `total_count`. */
export async function countFeedback(client: Client, project_id: string): Promise<number> {
  const response = await client.document('feedback_query', { project_id, fields: ['id'], limit: 1 })
  return Number(find(response, 'total_count')?.text ?? 0)
}

function compareVersions(
  { journal, report }: Transfer,
  theirs: readonly ObjectVersion[],
  ours: readonly ObjectVersion[],
): void {
  const byKey = new Map(ours.map((version) => [versionKey(version), version]))
  for (const version of theirs) {
    const digest = journal.get('object', versionKey(version))
    // Not copied; the reason was reported then.
    if (digest === undefined) continue
    const copy = byKey.get(versionKey({ object_id: version.object_id, digest }))
    if (copy === undefined) report.addProblem(`object ${versionKey(version)}`, 'missing at the target')
    else if (copy.version_index !== version.version_index || copy.is_latest !== version.is_latest) {
      const name = (each: ObjectVersion) => `v${each.version_index}${each.is_latest === 1 ? ', latest' : ''}`
      report.addProblem(
        `object ${versionKey(version)}`,
        `is ${name(version)} at the source and ${name(copy)} at the target`,
      )
    }
  }
}

async function compareTables({
  from,
  to,
  project_id,
  to_project_id,
  journal,
  report,
}: Transfer): Promise<void> {
  let theirs = 0
  let ours = 0
  await forEachConcurrently(journal.entries('table'), MAX_CONCURRENT_TABLES, async ([digest, newDigest]) => {
    const there = await from.call('table_query_stats', { project_id, digest })
    const here = await to.call('table_query_stats', { project_id: to_project_id, digest: newDigest })
    if (there.count !== here.count) {
      report.addProblem(
        `table ${digest}`,
        `has ${there.count} rows at the source and ${here.count} at the target`,
      )
    }
    theirs += there.count
    ours += here.count
  })
  report.counts['tables'] = { from: journal.count('table'), to: journal.count('table') }
  report.counts['rows'] = { from: theirs, to: ours }
}
