import { forEverybody } from '../../core/concurrency/request-scope.ts'
import type { Database } from '../../store/database/database.ts'
import { listKeys } from '../../store/access/keys.ts'
import { listMembers } from '../../store/access/members.ts'
import { listUsers } from '../../store/access/users.ts'
import { Snapshot } from './snapshot.ts'

/** No answer rests on what was read longer ago than this; so fast does a revocation reach every node. */
const OLDEST_MS = 30_000

/** From this age on it is read again in the background, while requests go on. */
const REFRESH_MS = 10_000

/**
 * What the snapshot does not know may have been made just now: look again after a second, or later if reading is
 * slow, so that a flood of wrong credentials keeps the engine busy for a twentieth of the time at most.
 */
const MISS_MS = { least: 1_000, most: 5_000, share: 20 } as const

/**
 * Users, keys and memberships in memory: the tables are small, so they are read whole, and a request with good
 * credentials is let in without asking the engine.
 */
export class Directory {
  readonly #db: Database
  readonly #nowMs: () => number
  #snapshot: Snapshot | undefined
  #loading: Promise<Snapshot> | undefined
  #changes = 0

  constructor(db: Database, nowMs: () => number) {
    this.#db = db
    this.#nowMs = nowMs
  }

  /** Not a promise when it is fresh, so that the usual request does not wait at all. */
  current(): Snapshot | Promise<Snapshot> {
    const snapshot = this.#snapshot
    if (snapshot === undefined) return this.#load()
    const ageMs = this.#nowMs() - snapshot.readAtMs
    if (ageMs >= OLDEST_MS) return this.#load()
    // A failure here is met again, and answered, once the snapshot is too old.
    if (ageMs >= REFRESH_MS) this.#load().catch(() => {})
    return snapshot
  }

  /** For a caller whom this snapshot refuses: a newer one if it is time for it, or the same. */
  newerThan(snapshot: Snapshot): Snapshot | Promise<Snapshot> {
    if (this.#snapshot !== undefined && this.#snapshot !== snapshot) return this.#snapshot
    const restMs = Math.min(MISS_MS.most, Math.max(MISS_MS.least, MISS_MS.share * snapshot.tookMs))
    return this.#nowMs() - snapshot.readAtMs < restMs ? snapshot : this.#load()
  }

  /** After a change made in this process: it holds from the next request on. */
  forget(): void {
    this.#changes += 1
    this.#snapshot = undefined
    this.#loading = undefined
  }

  #load(): Promise<Snapshot> {
    if (this.#loading !== undefined) return this.#loading
    const changes = this.#changes
    const loading = forEverybody(() => this.#read()).then(
      (snapshot) => {
        if (this.#changes !== changes) return snapshot
        this.#snapshot = snapshot
        this.#loading = undefined
        return snapshot
      },
      (error: unknown) => {
        if (this.#changes === changes) this.#loading = undefined
        throw error
      },
    )
    this.#loading = loading
    return loading
  }

  async #read(): Promise<Snapshot> {
    const readAtMs = this.#nowMs()
    const [users, keys, members] = await Promise.all([
      listUsers(this.#db),
      listKeys(this.#db),
      listMembers(this.#db),
    ])
    return new Snapshot({ users, keys, members, readAtMs, tookMs: this.#nowMs() - readAtMs })
  }
}
