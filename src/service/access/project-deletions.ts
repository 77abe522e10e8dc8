import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import { laterTime, parseTime } from '../../core/time/time.ts'
import { listMembers, writeMembers } from '../../store/access/members.ts'
import {
  deleteProjectRows,
  findProject,
  type ProjectDeletion,
  type ProjectRow,
  writeProjects,
} from '../../store/access/projects.ts'
import { listQuotas, writeQuota } from '../../store/access/quotas.ts'
import type { Deps } from '../deps.ts'
import type { Access } from './access.ts'

/**
 * Deletion of projects (docs/decisions/0017-projects.md). A deletion begins with a mark in the project's row: every server
 * refuses requests for the project as soon as it knows the mark. After a delay, when all servers know it and no write is
 * under way, the rows of the project are deleted from every table, and then the mark becomes a deleted row.
 */

const TICK_MS = 1_000

/** A server that did not begin the deletion continues it if it is overdue by this time: the other was stopped. */
const TAKE_OVER_MS = 60_000

/** The sweeper may write a row that it read before the deletion; rounds go on until one finds none. */
const MAX_ROUNDS = 10

export class ProjectDeletions {
  readonly #deps: Deps
  readonly #access: Access
  readonly #onError: (error: unknown) => void
  /** Projects whose deletion this process has begun. */
  readonly #own = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isStopped = false

  constructor(deps: Deps, access: Access, onError: (error: unknown) => void) {
    this.#deps = deps
    this.#access = access
    this.#onError = onError
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  /** A deletion that is under way is continued by another process, or after the next start. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  /** Marks the project. From now on this process refuses requests for it. */
  async begin(project_id: string): Promise<ProjectDeletion> {
    const { db, now } = this.#deps
    const row = await findProject(db, project_id)
    if (row === undefined)
      throw new ApiError('not_found', `there is no project ${project_id}; it may have been deleted already`)
    this.#own.add(project_id)
    const changed_at = laterTime(now(), row.changed_at)
    const marked = { ...row, deletion_started_at: changed_at, changed_at, is_deleted: 0 as const }
    await writeProjects(db, [marked])
    this.#access.apply({ deletions: [marked] })
    return marked
  }

  /** Marks the project, waits until all servers know it, and deletes it. For commands, which run no timer. */
  async run(project_id: string): Promise<void> {
    const deletion = await this.begin(project_id)
    await sleep(this.#deps.projectDeletionDelayMs)
    await this.#delete(deletion)
  }

  #tick(): void {
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      for (const deletion of this.#access.pendingDeletions())
        if (!this.#isStopped && this.#isDue(deletion)) await this.#delete(deletion)
    } catch (error) {
      if (!this.#isStopped) this.#onError(error)
    }
    this.#isRunning = false
  }

  #isDue({ project_id, deletion_started_at }: ProjectDeletion): boolean {
    const { now, projectDeletionDelayMs } = this.#deps
    const delayMs = projectDeletionDelayMs + (this.#own.has(project_id) ? 0 : TAKE_OVER_MS)
    return (parseTime(deletion_started_at) ?? 0n) + BigInt(delayMs) * 1000n <= now()
  }

  async #delete(deletion: ProjectDeletion): Promise<void> {
    const { db, now } = this.#deps
    const { project_id } = deletion
    /** Another process may have completed the deletion, and the project may exist anew. */
    const findMarked = async (): Promise<ProjectRow | undefined> => {
      const row = await findProject(db, project_id)
      return row?.deletion_started_at === deletion.deletion_started_at && !this.#isStopped ? row : undefined
    }
    const isMarked = async (): Promise<boolean> => (await findMarked()) !== undefined
    let rows: number | undefined
    for (let round = 0; rows !== 0; round++) {
      if (round === MAX_ROUNDS) throw new Error(`rows are still written to ${project_id}`)
      rows = await deleteProjectRows(db, project_id, isMarked)
      if (rows === undefined) break
    }
    const row = await findMarked()
    if (row === undefined) {
      this.#access.invalidate()
      return
    }
    const members = await this.#deleteMembers(project_id)
    await this.#deleteQuota(project_id)
    const deleted = { ...row, changed_at: laterTime(now(), row.changed_at), is_deleted: 1 as const }
    await writeProjects(db, [deleted])
    this.#own.delete(project_id)
    this.#access.apply({ members, deletions: [{ ...deletion, is_deleted: 1 }] })
  }

  async #deleteMembers(project_id: string) {
    const { db, now } = this.#deps
    const { entity, project } = splitProjectId(project_id)
    const rows = (await listMembers(db))
      .filter((row) => row.entity === entity && row.project === project)
      .map((row) => ({ ...row, changed_at: laterTime(now(), row.changed_at), is_deleted: 1 as const }))
    if (rows.length > 0) await writeMembers(db, rows)
    return rows
  }

  async #deleteQuota(project_id: string): Promise<void> {
    const { db, now } = this.#deps
    const row = (await listQuotas(db)).find(
      ({ kind, subject }) => kind === 'project' && subject === project_id,
    )
    if (row === undefined) return
    await writeQuota(db, { ...row, changed_at: laterTime(now(), row.changed_at), is_deleted: 1 })
  }
}
