import type { Client } from '../../client/client.ts'
import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { valueDigest } from '../../core/objects/digest.ts'
import { copyFiles } from './files.ts'
import { Mentions } from './mentions.ts'
import { isRefusal } from './report.ts'
import { copyTable } from './tables.ts'
import type { Transfer } from './transfer.ts'

const LISTED_AT_ONCE = 1_000
const VALUES_AT_ONCE = 50

const OLDEST_FIRST = [{ field: 'created_at', direction: 'asc' as const }]

/** Every version that is not deleted, oldest first, without its value. */
export async function listVersions(client: Client, project_id: string): Promise<ObjectVersion[]> {
  const request = { project_id, metadata_only: true, sort_by: OLDEST_FIRST, limit: LISTED_AT_ONCE }
  const all: ObjectVersion[] = []
  for (;;) {
    const page = { ...request, offset: all.length }
    const { objs } = await client
      .call('objs_query', { ...page, include_tags_and_aliases: true })
      .catch((error: unknown) => {
        // Older servers know no tags and refuse what they do not know.
        if (isRefusal(error)) return client.call('objs_query', page)
        throw error
      })
    all.push(...objs)
    if (objs.length < LISTED_AT_ONCE) return all
  }
}

/**
 * Versions of objects, each after what it names and after the versions before it, so that digests come out right and
 * versions get the numbers they had.
 */
export class ObjectsCopy {
  readonly #transfer: Transfer
  readonly #versions: readonly ObjectVersion[]
  readonly #byKey: ReadonlyMap<string, ObjectVersion>
  /** By object, then by number. */
  readonly #siblings = new Map<string, Map<number, ObjectVersion>>()
  /** By object: versions below this number need no further look. */
  readonly #seen = new Map<string, number>()
  /** Begun in this run: what names itself through others must not go round in circles. */
  readonly #begun = new Set<string>()

  constructor(transfer: Transfer, versions: readonly ObjectVersion[]) {
    this.#transfer = transfer
    this.#versions = versions
    this.#byKey = new Map(versions.map((version) => [keyOf(version), version]))
    for (const version of versions) {
      const siblings = this.#siblings.get(version.object_id) ?? new Map<number, ObjectVersion>()
      this.#siblings.set(version.object_id, siblings.set(version.version_index, version))
    }
  }

  async copyAll(): Promise<void> {
    const { from, project_id, journal, progress } = this.#transfer
    for (let offset = 0; offset < this.#versions.length; offset += VALUES_AT_ONCE) {
      const some = this.#versions.slice(offset, offset + VALUES_AT_ONCE)
      if (some.every((version) => journal.has('object', keyOf(version)))) continue
      const request = { project_id, sort_by: OLDEST_FIRST, limit: VALUES_AT_ONCE, offset }
      const { objs } = await from.call('objs_query', request)
      for (const { val, ...version } of objs) await this.#copy(keyOf(version), val)
      progress.at('objects', journal.count('object'))
    }
    // What the pages did not show: something was published or deleted between them.
    for (const version of this.#versions) await this.#copy(keyOf(version))
    await this.#restoreLatest()
  }

  /** Objects, tables and files that something names. */
  async copyMentioned(mentions: Mentions): Promise<void> {
    await copyFiles(this.#transfer, mentions.files)
    for (const digest of mentions.tables) {
      if (this.#begun.has(`table ${digest}`)) continue
      this.#begun.add(`table ${digest}`)
      await copyTable(this.#transfer, digest, (more) => this.copyMentioned(more))
    }
    for (const key of mentions.objects) await this.#copy(key)
  }

  async #copy(key: string, known?: RawJson): Promise<void> {
    const version = this.#byKey.get(key)
    const { journal } = this.#transfer
    if (version === undefined || journal.has('object', key) || this.#begun.has(key)) return
    this.#begun.add(key)
    await this.#copyEarlier(version)
    const val = known ?? (await this.#read(version))
    if (val === undefined) return
    await this.copyMentioned(new Mentions(this.#transfer.project_id).add(val))
    const digest = await this.#publish(version, val)
    if (digest === undefined) return
    this.#transfer.refs.object(key, digest)
    this.#transfer.report.copied.objects++
    journal.add('object', key, digest)
  }

  async #copyEarlier(version: ObjectVersion): Promise<void> {
    const { object_id, version_index } = version
    const siblings = this.#siblings.get(object_id)
    for (let i = this.#seen.get(object_id) ?? 0; i < version_index; i++) {
      this.#seen.set(object_id, i + 1)
      const sibling = siblings?.get(i)
      if (sibling === undefined) await this.#fillGap(object_id, i)
      else await this.#copy(keyOf(sibling))
    }
  }

  /** A deleted version cannot be read, but it has a number: something is published in its place, and deleted. */
  async #fillGap(object_id: string, version_index: number): Promise<void> {
    const { to, to_project_id: project_id, journal } = this.#transfer
    const key = `${object_id}:v${version_index}`
    if (journal.has('gap', key)) return
    const val = RawJson.of({ deleted_version_index: version_index })
    const { digest } = await to.call('obj_create', { obj: { project_id, object_id, val } })
    await to.call('obj_delete', { project_id, object_id, digests: [digest] })
    journal.add('gap', key)
  }

  async #publish(version: ObjectVersion, theirs: RawJson): Promise<string | undefined> {
    const { to, to_project_id, refs, report } = this.#transfer
    const val = refs.json(theirs)
    const digest = valueDigest(val)
    if (digest !== version.digest && !val.bytes.includes('"weave:///')) {
      report.problem(`object ${keyOf(version)}`, `its value has the digest ${digest}`)
    }
    const { object_id } = version
    try {
      await to.call('obj_create', {
        obj: { project_id: to_project_id, object_id, val, expected_digest: digest },
      })
      return digest
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.problem(`object ${keyOf(version)}`, error)
      return undefined
    }
  }

  /** Undefined if it was deleted since it was listed. */
  async #read({ object_id, digest }: ObjectVersion): Promise<RawJson | undefined> {
    const { from, project_id } = this.#transfer
    try {
      return (await from.call('obj_read', { project_id, object_id, digest })).obj.val
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  /** Publishing in order leaves the highest number as the latest; an older content may have been published again. */
  async #restoreLatest(): Promise<void> {
    const { to, to_project_id, journal } = this.#transfer
    const isLatest = (version: ObjectVersion): boolean => version.is_latest === 1
    const ours = new Set((await listVersions(to, to_project_id)).filter(isLatest).map(keyOf))
    for (const version of this.#versions.filter(isLatest)) {
      const digest = journal.get('object', keyOf(version))
      if (digest === undefined || ours.has(keyOf({ object_id: version.object_id, digest }))) continue
      const val = await this.#read(version)
      if (val !== undefined) await this.#publish(version, val)
    }
  }
}

export function keyOf({ object_id, digest }: { object_id: string; digest: string }): string {
  return `${object_id}:${digest}`
}
