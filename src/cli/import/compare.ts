import type { Client } from '../../client/client.ts'
import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { find } from '../../core/json/navigate.ts'
import { listPrices } from './costs.ts'
import { keyOf, listVersions } from './objects.ts'
import { eachAtOnce, type Transfer } from './transfer.ts'

const AT_ONCE = 6

/** Both sides, as they themselves count; and each version and table by its digest. */
export async function compareSides(transfer: Transfer): Promise<void> {
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

/** By the whole answer, as `total_count` came late to the protocol. */
export async function countFeedback(client: Client, project_id: string): Promise<number> {
  const answer = await client.document('feedback_query', { project_id, fields: ['id'], limit: 1 })
  return Number(find(answer, 'total_count')?.text ?? 0)
}

function compareVersions(
  { journal, report }: Transfer,
  theirs: readonly ObjectVersion[],
  ours: readonly ObjectVersion[],
): void {
  const byKey = new Map(ours.map((version) => [keyOf(version), version]))
  for (const version of theirs) {
    const digest = journal.get('object', keyOf(version))
    // Not copied: why, was said when it was tried.
    if (digest === undefined) continue
    const copy = byKey.get(keyOf({ object_id: version.object_id, digest }))
    if (copy === undefined) report.problem(`object ${keyOf(version)}`, 'is not at the target')
    else if (copy.version_index !== version.version_index || copy.is_latest !== version.is_latest) {
      const name = (each: ObjectVersion) => `v${each.version_index}${each.is_latest === 1 ? ', latest' : ''}`
      report.problem(`object ${keyOf(version)}`, `is ${name(version)} there and ${name(copy)} here`)
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
  await eachAtOnce(journal.entries('table'), AT_ONCE, async ([digest, becomes]) => {
    const there = await from.call('table_query_stats', { project_id, digest })
    const here = await to.call('table_query_stats', { project_id: to_project_id, digest: becomes })
    if (there.count !== here.count) {
      report.problem(`table ${digest}`, `has ${there.count} rows there and ${here.count} here`)
    }
    theirs += there.count
    ours += here.count
  })
  report.counts['tables'] = { from: journal.count('table'), to: journal.count('table') }
  report.counts['rows'] = { from: theirs, to: ours }
}
