import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import type { Database } from '../../store/database/database.ts'
import { listKeys } from '../../store/access/keys.ts'
import { listDeletions, type ProjectDeletion } from '../../store/access/projects.ts'
import { listMembers } from '../../store/access/members.ts'
import { listUsers } from '../../store/access/users.ts'
import { type AccessChange, Snapshot } from './snapshot.ts'

/** In-memory cache of users, API keys and memberships. */

/** Maximum age of a snapshot. A revocation therefore reaches every node within this time. */
const MAX_AGE_MS = 30_000

/**
 * Maximum age while the shard of users and keys is down, so that calls of other shards are still written and read. Nobody can
 * revoke anything there during the outage, unless only this node is cut off.
 */
const MAX_AGE_IN_OUTAGE_MS = 15 * 60_000

/** A snapshot older than this is reloaded in the background, while requests continue to use it. */
const REFRESH_AFTER_MS = 10_000

/**
 * When a snapshot lacks the credentials, they may be newer than it: reload once the snapshot is older than `minMs`,
 * or `durationFactor` times the duration of the last load, but at most `maxMs`. A flood of wrong credentials then
 * occupies ClickHouse at most a twentieth of the time.
 */
const MISS_RELOAD = { minMs: 1_000, maxMs: 5_000, durationFactor: 20 } as const

/** The tables are small and loaded completely, so a request with valid credentials is authorized without a query. */
export class Directory {
  readonly #db: Database
  readonly #nowMs: () => number
  #snapshot: Snapshot | undefined
  #loading: Promise<Snapshot> | undefined
  /** Changes since the load began: it may not have read them. */
  #changesSinceLoad: AccessChange[] = []
  #generation = 0
  readonly #onDeletions: (project_ids: readonly string[]) => void
  /** The deletions that were reported, by project. */
  readonly #seenDeletions = new Map<string, string>()

  /** `onDeletions` is called for projects whose deletion has begun or is complete. */
  constructor(
    db: Database,
    nowMs: () => number,
    onDeletions: (project_ids: readonly string[]) => void = () => {},
  ) {
    this.#db = db
    this.#nowMs = nowMs
    this.#onDeletions = onDeletions
  }

  /** Returns no promise when the snapshot is fresh, so that the usual request does not wait. */
  current(): Snapshot | Promise<Snapshot> {
    const snapshot = this.#snapshot
    if (snapshot === undefined) return this.#load()
    const ageMs = this.#nowMs() - snapshot.readAtMs
    if (ageMs >= this.#maxAgeMs()) return this.#loadUnlessOutage(snapshot)
    // A failure is ignored here: it recurs, and is reported, once the snapshot is too old.
    if (ageMs >= REFRESH_AFTER_MS) this.#load().catch(() => {})
    return snapshot
  }

  /** An outage may become known during the load, which is retried for longer than requests should wait. */
  async #loadUnlessOutage(snapshot: Snapshot): Promise<Snapshot> {
    const isUsable = (): boolean => this.#nowMs() - snapshot.readAtMs < this.#maxAgeMs()
    let unwatch = (): void => {}
    const inOutage = new Promise<Snapshot>((resolve) => {
      unwatch = this.#db.onFirstShardDown(() => {
        if (isUsable()) resolve(snapshot)
      })
    })
    try {
      return await Promise.race([this.#load(), inOutage])
    } catch (error) {
      if (isUsable()) return snapshot
      throw error
    } finally {
      unwatch()
    }
  }

  #maxAgeMs(): number {
    return this.#db.unavailableShards.includes(1) ? MAX_AGE_IN_OUTAGE_MS : MAX_AGE_MS
  }

  /** The snapshot in memory, whatever its age. */
  get latest(): Snapshot | undefined {
    return this.#snapshot
  }

  /** Reloads after a snapshot denied a caller. Returns the same snapshot if it is too recent to reload. */
  reloadAfterMiss(snapshot: Snapshot): Snapshot | Promise<Snapshot> {
    if (this.#snapshot !== undefined && this.#snapshot !== snapshot) return this.#snapshot
    const { minMs, maxMs, durationFactor } = MISS_RELOAD
    const minAgeMs = Math.min(maxMs, Math.max(minMs, durationFactor * snapshot.readDurationMs))
    return this.#nowMs() - snapshot.readAtMs < minAgeMs ? snapshot : this.#load()
  }

  /**
   * Applies a change of this process, which is stored, from the next request on. The tables are not read again, so that
   * frequent changes delay nobody.
   */
  apply(change: AccessChange): void {
    this.#snapshot?.apply(change)
    if (change.deletions !== undefined) this.#reportDeletions(change.deletions)
    if (this.#loading !== undefined) this.#changesSinceLoad.push(change)
  }

  /** Drops the snapshot, so that the next request reads the tables. */
  invalidate(): void {
    this.#generation += 1
    this.#snapshot = undefined
    this.#loading = undefined
  }

  #load(): Promise<Snapshot> {
    if (this.#loading !== undefined) return this.#loading
    const generation = this.#generation
    const changes: AccessChange[] = []
    this.#changesSinceLoad = changes
    const loading = outsideRequest(() => this.#read()).then(
      (snapshot) => {
        for (const change of changes) snapshot.apply(change)
        if (this.#generation !== generation) return snapshot
        this.#snapshot = snapshot
        this.#loading = undefined
        return snapshot
      },
      (error: unknown) => {
        if (this.#generation === generation) this.#loading = undefined
        throw error
      },
    )
    this.#loading = loading
    return loading
  }

  async #read(): Promise<Snapshot> {
    const readAtMs = this.#nowMs()
    const [users, keys, members, deletions] = await Promise.all([
      listUsers(this.#db),
      listKeys(this.#db),
      listMembers(this.#db),
      listDeletions(this.#db),
    ])
    this.#reportDeletions(deletions)
    return new Snapshot({
      users,
      keys,
      members,
      deletions,
      readAtMs,
      readDurationMs: this.#nowMs() - readAtMs,
    })
  }

  #reportDeletions(deletions: readonly ProjectDeletion[]): void {
    const state = (each: ProjectDeletion): string => `${each.deletion_started_at} ${each.is_deleted}`
    const changed = deletions.filter((each) => this.#seenDeletions.get(each.project_id) !== state(each))
    if (changed.length === 0) return
    for (const each of changed) this.#seenDeletions.set(each.project_id, state(each))
    this.#onDeletions(changed.map(({ project_id }) => project_id))
  }
}
