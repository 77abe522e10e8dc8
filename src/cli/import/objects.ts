import type { Client } from '../../client/client.ts'
import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { valueDigest } from '../../core/objects/digest.ts'
import { copyFiles } from './files.ts'
import { References } from './references.ts'
import { isRejection } from './report.ts'
import { copyTable } from './tables.ts'
import type { Transfer } from './transfer.ts'

const LIST_PAGE = 1_000
const VALUE_PAGE = 50

const OLDEST_FIRST = [{ field: 'created_at' as const, direction: 'asc' as const }]

/** Copies objects from another server. */

/** Lists all versions that are not deleted, oldest first, without values. */
export async function listVersions(client: Client, project_id: string): Promise<ObjectVersion[]> {
  const request = { project_id, metadata_only: true, sort_by: OLDEST_FIRST, limit: LIST_PAGE }
  const all: ObjectVersion[] = []
  for (;;) {
    const page = { ...request, offset: all.length }
    const { objs } = await client
      .call('objs_query', { ...page, include_tags_and_aliases: true })
      .catch((error: unknown) => {
        // Older servers have no tags and reject the unknown field.
        if (isRejection(error)) return client.call('objs_query', page)
        throw error
      })
    all.push(...objs)
    if (objs.length < LIST_PAGE) return all
  }
}

/**
 * Copies object versions, each after what it references and after its earlier versions, so that digests match and
 * versions keep their numbers.
 */
export class ObjectsCopy {
  readonly #transfer: Transfer
  readonly #versions: readonly ObjectVersion[]
  readonly #byKey: ReadonlyMap<string, ObjectVersion>
  /** By object, then by version number. */
  readonly #siblings = new Map<string, Map<number, ObjectVersion>>()
  /** By object: versions below this number were visited. */
  readonly #visited = new Map<string, number>()
  /** Started in this run; prevents endless recursion through circular references. */
  readonly #started = new Set<string>()

  constructor(transfer: Transfer, versions: readonly ObjectVersion[]) {
    this.#transfer = transfer
    this.#versions = versions
    this.#byKey = new Map(versions.map((version) => [versionKey(version), version]))
    for (const version of versions) {
      const siblings = this.#siblings.get(version.object_id) ?? new Map<number, ObjectVersion>()
      this.#siblings.set(version.object_id, siblings.set(version.version_index, version))
    }
  }

  async copyAll(): Promise<void> {
    const { from, project_id, journal, progress } = this.#transfer
    for (let offset = 0; offset < this.#versions.length; offset += VALUE_PAGE) {
      const some = this.#versions.slice(offset, offset + VALUE_PAGE)
      if (some.every((version) => journal.has('object', versionKey(version)))) continue
      const request = { project_id, sort_by: OLDEST_FIRST, limit: VALUE_PAGE, offset }
      const { objs } = await from.call('objs_query', request)
      for (const { val, ...version } of objs) await this.#copy(versionKey(version), val)
      progress.update('objects', journal.count('object'))
    }
    // Versions that the pages missed because others were published or deleted in between.
    for (const version of this.#versions) await this.#copy(versionKey(version))
    await this.#restoreLatest()
  }

  /** Copies referenced objects, tables and files. */
  async copyReferenced(references: References): Promise<void> {
    await copyFiles(this.#transfer, references.files)
    for (const digest of references.tables) {
      if (this.#started.has(`table ${digest}`)) continue
      this.#started.add(`table ${digest}`)
      await copyTable(this.#transfer, digest, (more) => this.copyReferenced(more))
    }
    for (const key of references.objects) await this.#copy(key)
  }

  async #copy(key: string, known?: RawJson): Promise<void> {
    const version = this.#byKey.get(key)
    const { journal } = this.#transfer
    if (version === undefined || journal.has('object', key) || this.#started.has(key)) return
    this.#started.add(key)
    await this.#copyEarlier(version)
    const val = known ?? (await this.#read(version))
    if (val === undefined) return
    await this.copyReferenced(new References(this.#transfer.project_id).add(val))
    const digest = await this.#publish(version, val)
    if (digest === undefined) return
    this.#transfer.refs.addObject(key, digest)
    this.#transfer.report.copied.objects++
    journal.add('object', key, digest)
  }

  async #copyEarlier(version: ObjectVersion): Promise<void> {
    const { object_id, version_index } = version
    const siblings = this.#siblings.get(object_id)
    for (let i = this.#visited.get(object_id) ?? 0; i < version_index; i++) {
      this.#visited.set(object_id, i + 1)
      const sibling = siblings?.get(i)
      if (sibling === undefined) await this.#fillGap(object_id, i)
      else await this.#copy(versionKey(sibling))
    }
  }

  /** Deleted versions cannot be read but have numbers: a placeholder is published and deleted for each. */
  async #fillGap(object_id: string, version_index: number): Promise<void> {
    const { to, to_project_id: project_id, journal } = this.#transfer
    const key = `${object_id}:v${version_index}`
    if (journal.has('gap', key)) return
    const val = RawJson.fromValue({ deleted_version_index: version_index })
    const { digest } = await to.call('obj_create', { obj: { project_id, object_id, val } })
    await to.call('obj_delete', { project_id, object_id, digests: [digest] })
    journal.add('gap', key)
  }

  async #publish(version: ObjectVersion, sourceVal: RawJson): Promise<string | undefined> {
    const { to, to_project_id, refs, report } = this.#transfer
    const val = refs.rewriteJson(sourceVal)
    const digest = valueDigest(val)
    if (digest !== version.digest && !val.bytes.includes('"weave:///')) {
      report.addProblem(`object ${versionKey(version)}`, `its value has the digest ${digest}`)
    }
    const { object_id } = version
    try {
      await to.call('obj_create', {
        obj: { project_id: to_project_id, object_id, val, expected_digest: digest },
      })
      return digest
    } catch (error) {
      if (!isRejection(error)) throw error
      report.addProblem(`object ${versionKey(version)}`, error)
      return undefined
    }
  }

  /** Returns undefined if the version was deleted since it was listed. */
  async #read({ object_id, digest }: ObjectVersion): Promise<RawJson | undefined> {
    const { from, project_id } = this.#transfer
    try {
      return (await from.call('obj_read', { project_id, object_id, digest })).obj.val
    } catch (error) {
      if (isRejection(error)) return undefined
      throw error
    }
  }

  /**
   * Publishing in order makes the highest version number `latest`. At the source an older version may be, because its
   * content was published again.
   */
  async #restoreLatest(): Promise<void> {
    const { to, to_project_id, journal } = this.#transfer
    const isLatest = (version: ObjectVersion): boolean => version.is_latest === 1
    const ours = new Set((await listVersions(to, to_project_id)).filter(isLatest).map(versionKey))
    for (const version of this.#versions.filter(isLatest)) {
      const digest = journal.get('object', versionKey(version))
      if (digest === undefined || ours.has(versionKey({ object_id: version.object_id, digest }))) continue
      const val = await this.#read(version)
      if (val !== undefined) await this.#publish(version, val)
    }
  }
}

export function versionKey({ object_id, digest }: { object_id: string; digest: string }): string {
  return `${object_id}:${digest}`
}
