import { ApiError } from '../../contract/api-error.ts'
import { FairScheduler } from './fair-scheduler.ts'

/**
 * Limits concurrent reads in this process, in total and per project, so that no project can occupy all slots. Waiting
 * reads are admitted round robin over projects: a project with a hundred reads delays only itself.
 */
export interface ConcurrencyLimits {
  readonly maxConcurrent: number
  readonly maxPerProject: number
  readonly waitMs: number
}

/** Further reads of the project are rejected without waiting. */
const MAX_WAITING_PER_PROJECT = 200

export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimits
  readonly #label: string
  /** Each slot has the weight 1. */
  readonly #scheduler: FairScheduler

  constructor(options: ConcurrencyLimits, label = 'heavy reads') {
    this.#options = options
    this.#label = label
    this.#scheduler = new FairScheduler({
      capacity: options.maxConcurrent,
      maxPerKey: options.maxPerProject,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingPerKey: MAX_WAITING_PER_PROJECT,
      waitMs: options.waitMs,
      rejection: (project_id) => this.#busy(project_id),
    })
  }

  /** Waits for a slot; returns its release function. Throws `unavailable` on timeout, or the signal's reason. */
  async acquire(project_id: string, signal?: AbortSignal): Promise<() => void> {
    const slot = this.tryAcquire(project_id)
    if (slot !== undefined) return slot
    await this.#scheduler.wait(project_id, 1, { signal }).granted
    return this.#releaseOnce(project_id)
  }

  /** Returns undefined if no slot is free. */
  tryAcquire(project_id: string): (() => void) | undefined {
    return this.#scheduler.tryAcquire(project_id, 1) ? this.#releaseOnce(project_id) : undefined
  }

  #releaseOnce(project_id: string): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#scheduler.release(project_id, 1)
    }
  }

  #busy(project_id: string): ApiError {
    const { maxPerProject, maxConcurrent, waitMs } = this.#options
    const isProjectLimit = this.#scheduler.heldBy(project_id) >= maxPerProject
    const limit = isProjectLimit
      ? `${maxPerProject} ${this.#label} of ${project_id} (HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT)`
      : `${maxConcurrent} ${this.#label} of all projects (HEDDLE_MAX_CONCURRENT_READS)`
    return new ApiError(
      'unavailable',
      `${limit} are running, and none finished within ${waitMs} ms; try again`,
      {
        retryAfterSeconds: 2,
      },
    )
  }
}
