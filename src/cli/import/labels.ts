import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { versionKey } from './objects.ts'
import { isRejection } from './report.ts'
import type { Transfer } from './transfer.ts'

/** Copies tags and aliases, after the versions they belong to. */
export async function copyLabels(transfer: Transfer, versions: readonly ObjectVersion[]): Promise<void> {
  const { journal } = transfer
  for (const version of versions) {
    const key = versionKey(version)
    const tags = version.tags ?? []
    // The server maintains `latest` itself.
    const aliases = (version.aliases ?? []).filter((alias) => alias !== 'latest')
    const labels = JSON.stringify([tags, aliases])
    const digest = journal.get('object', key)
    if (tags.length + aliases.length === 0 || digest === undefined || journal.get('label', key) === labels)
      continue
    if (await store(transfer, version, digest, tags, aliases)) journal.add('label', key, labels)
  }
}

async function store(
  { to, to_project_id: project_id, report }: Transfer,
  { object_id, digest: theirs }: ObjectVersion,
  digest: string,
  tags: string[],
  aliases: string[],
): Promise<boolean> {
  try {
    if (tags.length > 0) await to.call('obj_add_tags', { project_id, object_id, digest, tags })
    if (aliases.length > 0) await to.call('obj_set_aliases', { project_id, object_id, digest, aliases })
    return true
  } catch (error) {
    if (!isRejection(error)) throw error
    report.addProblem(`tags and aliases of ${object_id}:${theirs}`, error)
    return false
  }
}
