import { ApiError } from '../../contract/api-error.ts'
import { MAX_NEW_PROJECTS_PER_REQUEST, NEW_PROJECTS } from '../../contract/limits.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { findProjectStates, listNewestProjects, writeProjects } from '../../store/access/projects.ts'
import type { Caller, Deps } from '../deps.ts'

/** Records projects: the first authorized write to a project creates its row. */

/** Maximum cached project ids. The least recently used are evicted and looked up again when needed. */
const MAX_KNOWN_PROJECTS = 100_000

/** Projects that are looked up at the start. */
const MAX_PRELOADED_PROJECTS = 10_000

/** Projects per lookup. */
const LOOKUP_SIZE = 5_000

/** Recorded projects are cached. The projects of a request need one lookup and one insert. */
export class KnownProjects {
  readonly #deps: Deps
  readonly #known = new BoundedMap<string, true>(MAX_KNOWN_PROJECTS)
  /** Projects that are being recorded; the promise is fulfilled even if that fails. */
  readonly #recording = new Map<string, Promise<void>>()
  readonly #rate = new KeyedRate(NEW_PROJECTS)

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads the newest projects, so that writes to them work even if the shard of the projects is down later. */
  async preload(): Promise<void> {
    for (const project_id of await listNewestProjects(this.#deps.db, MAX_PRELOADED_PROJECTS))
      this.#known.set(project_id, true)
  }

  /** Returns undefined, so that the caller need not wait, when all projects are recorded. */
  ensureRecorded(
    project_ids: readonly string[],
    caller: Caller,
    isServerAdmin: boolean,
  ): Promise<void> | undefined {
    const unknown = this.#unknown(project_ids)
    return unknown.length === 0 ? undefined : this.#record(unknown, caller, isServerAdmin)
  }

  /** Forgets projects that were deleted: the next write creates them again. */
  forget(project_ids: readonly string[]): void {
    for (const project_id of project_ids) this.#known.delete(project_id)
  }

  async #record(project_ids: readonly string[], caller: Caller, isServerAdmin: boolean): Promise<void> {
    // Another request may be recording some of them. If it fails, for example at the limit of its user, we do.
    await Promise.all(new Set(project_ids.flatMap((project_id) => this.#recording.get(project_id) ?? [])))
    const unknown = this.#unknown(project_ids)
    if (unknown.length === 0) return
    if (unknown.some((project_id) => this.#recording.has(project_id)))
      return this.#record(unknown, caller, isServerAdmin)
    const recording = this.#write(unknown, caller, isServerAdmin)
    const ended = recording.catch(() => {})
    for (const project_id of unknown) this.#recording.set(project_id, ended)
    try {
      await recording
    } finally {
      for (const project_id of unknown) this.#recording.delete(project_id)
    }
  }

  async #write(project_ids: readonly string[], caller: Caller, isServerAdmin: boolean): Promise<void> {
    const { db, now } = this.#deps
    const existing = new Set<string>()
    const deletedAt = new Map<string, string>()
    for (let first = 0; first < project_ids.length; first += LOOKUP_SIZE) {
      const found = await findProjectStates(db, project_ids.slice(first, first + LOOKUP_SIZE))
      for (const { project_id, is_deleted, changed_at } of found) {
        if (is_deleted === 0) existing.add(project_id)
        else deletedAt.set(project_id, changed_at)
      }
    }
    for (const project_id of existing) this.#known.set(project_id, true)
    const created = project_ids.filter((project_id) => !existing.has(project_id))
    if (created.length === 0) return
    this.#admit(created.length, caller, isServerAdmin)
    const at = now()
    const created_at = formatTime(at)
    await writeProjects(
      db,
      created.map((project_id) => ({
        project_id,
        display_name: '',
        created_by: caller.user_id,
        created_at,
        deletion_started_at: null,
        // The newest row wins, also against the row of a deletion by a server whose clock is ahead.
        changed_at: laterTime(at, deletedAt.get(project_id) ?? ''),
        is_deleted: 0,
      })),
    )
    for (const project_id of created) this.#known.set(project_id, true)
  }

  /** Throws if the user may not create this many projects now. Server admins have no rate: imports create many. */
  #admit(count: number, { user_id }: Caller, isServerAdmin: boolean): void {
    if (count > MAX_NEW_PROJECTS_PER_REQUEST)
      throw new ApiError(
        'too_large',
        `the request names ${count} new projects, and may create ${MAX_NEW_PROJECTS_PER_REQUEST}; nothing was stored, send smaller batches`,
      )
    if (isServerAdmin) return
    const retryAfterSeconds = this.#rate.take(user_id, count, Number(this.#deps.now() / 1000n))
    if (retryAfterSeconds === 0) return
    throw new ApiError(
      'rate_limited',
      `you created too many projects; nothing was stored, send the request again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    )
  }

  #unknown(project_ids: readonly string[]): string[] {
    return project_ids.filter((project_id) => this.#known.touch(project_id) === undefined)
  }
}
