import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { formatTime } from '../../core/time/time.ts'
import { projectExists, writeProject } from '../../store/access/projects.ts'
import type { Caller, Deps } from '../deps.ts'

/** Records projects: the first authorized write to a project creates its row. */

/** Maximum cached project ids. The oldest are evicted and looked up again when needed. */
const MAX_KNOWN_PROJECTS = 100_000

/** Recorded projects are cached. */
export class KnownProjects {
  readonly #deps: Deps
  readonly #known = new BoundedMap<string, true>(MAX_KNOWN_PROJECTS)
  readonly #recording = new Map<string, Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns undefined, so that the caller need not wait, when all projects are recorded. */
  ensureRecorded(project_ids: readonly string[], caller: Caller): Promise<unknown> | undefined {
    const unknown = project_ids.filter((project_id) => !this.#known.has(project_id))
    if (unknown.length === 0) return undefined
    return Promise.all(unknown.map((project_id) => this.#recordOnce(project_id, caller)))
  }

  #recordOnce(project_id: string, caller: Caller): Promise<void> {
    const running = this.#recording.get(project_id)
    if (running !== undefined) return running
    const recording = this.#write(project_id, caller).finally(() => this.#recording.delete(project_id))
    this.#recording.set(project_id, recording)
    return recording
  }

  async #write(project_id: string, caller: Caller): Promise<void> {
    const { db, now } = this.#deps
    if (!(await projectExists(db, project_id))) {
      await writeProject(db, { project_id, created_by: caller.user_id, created_at: formatTime(now()) })
    }
    this.#known.set(project_id, true)
  }
}
