import { FairScheduler } from './fair-scheduler.ts'

/**
 * Limits concurrent work in this process: in total, per user and per project, so that neither a user nor a project
 * can occupy all slots. Waiting work is admitted round robin over users, and over the projects of each user: a user
 * with a hundred reads delays only itself.
 */
export interface ConcurrencyLimits {
  readonly maxConcurrent: number
  readonly maxPerUser: number
  readonly maxPerProject: number
  /** Further work of the user is rejected without waiting. */
  readonly maxWaitingPerUser: number
  readonly waitMs: number
}

/** For whom a slot is acquired. */
export interface SlotOwner {
  readonly user_id: string
  /** Undefined if the work is not limited per project. */
  readonly project_id?: string | undefined
}

export type ReachedLimit = 'user' | 'project' | 'process'

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  /** Each slot has the weight 1. */
  readonly #scheduler: FairScheduler
  readonly #rejection: (limit: ReachedLimit, owner: SlotOwner) => Error

  /** `rejection` creates the error when no slot became free in time or too much work waits. */
  constructor(limits: ConcurrencyLimits, rejection: (limit: ReachedLimit, owner: SlotOwner) => Error) {
    this.#limits = limits
    this.#rejection = rejection
    this.#scheduler = new FairScheduler({
      capacity: limits.maxConcurrent,
      maxPerKey: limits.maxPerUser,
      maxPerGroup: limits.maxPerProject,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingPerKey: limits.maxWaitingPerUser,
      waitMs: limits.waitMs,
      rejection: (user_id, project_id) => this.#reject({ user_id, project_id }),
    })
  }

  /** Slots that were acquired and not released. */
  get held(): number {
    return this.#scheduler.held
  }

  /** Waits for a slot; returns its release function. Throws the rejection on timeout, or the signal's reason. */
  async acquire(owner: SlotOwner, signal?: AbortSignal): Promise<() => void> {
    const slot = this.tryAcquire(owner)
    if (slot !== undefined) return slot
    await this.#scheduler.wait(owner.user_id, 1, { group: owner.project_id ?? '', signal }).granted
    return this.#releaseOnce(owner)
  }

  /** Returns undefined if no slot is free. */
  tryAcquire(owner: SlotOwner): (() => void) | undefined {
    const isGranted = this.#scheduler.tryAcquire(owner.user_id, 1, { group: owner.project_id ?? '' })
    return isGranted ? this.#releaseOnce(owner) : undefined
  }

  /** Like `tryAcquire`, but throws the rejection. */
  acquireNow(owner: SlotOwner): () => void {
    const slot = this.tryAcquire(owner)
    if (slot === undefined) throw this.#reject(owner)
    return slot
  }

  #releaseOnce({ user_id, project_id }: SlotOwner): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#scheduler.release(user_id, 1, project_id)
    }
  }

  #reject(owner: SlotOwner): Error {
    const { maxPerUser, maxPerProject } = this.#limits
    const { user_id, project_id = '' } = owner
    if (this.#scheduler.heldBy(user_id) >= maxPerUser) return this.#rejection('user', owner)
    const isProjectLimit = this.#scheduler.heldByGroup(project_id) >= maxPerProject
    return this.#rejection(isProjectLimit ? 'project' : 'process', owner)
  }
}
