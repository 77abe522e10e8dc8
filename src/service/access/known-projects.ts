import { formatTime } from '../../core/time/time.ts'
import { isProject, writeProject } from '../../store/access/projects.ts'
import type { Caller, Deps } from '../deps.ts'

/** Projects this process has seen in the table; the oldest are forgotten, and looked up again when needed. */
const KNOWN_MOST = 100_000

/** A project comes into being at its first authorized write: recorded once, then only remembered. */
export class KnownProjects {
  readonly #deps: Deps
  readonly #known = new Set<string>()
  readonly #recording = new Map<string, Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Undefined, so nothing to wait for, when all of them are known. */
  record(project_ids: readonly string[], caller: Caller): Promise<unknown> | undefined {
    const unknown = project_ids.filter((project_id) => !this.#known.has(project_id))
    if (unknown.length === 0) return undefined
    return Promise.all(unknown.map((project_id) => this.#once(project_id, caller)))
  }

  #once(project_id: string, caller: Caller): Promise<void> {
    const running = this.#recording.get(project_id)
    if (running !== undefined) return running
    const recording = this.#write(project_id, caller).finally(() => this.#recording.delete(project_id))
    this.#recording.set(project_id, recording)
    return recording
  }

  async #write(project_id: string, caller: Caller): Promise<void> {
    const { db, now } = this.#deps
    if (!(await isProject(db, project_id))) {
      await writeProject(db, { project_id, created_by: caller.user_id, created_at: formatTime(now()) })
    }
    this.#known.add(project_id)
    if (this.#known.size <= KNOWN_MOST) return
    const oldest = this.#known.values().next()
    if (oldest.done !== true) this.#known.delete(oldest.value)
  }
}
