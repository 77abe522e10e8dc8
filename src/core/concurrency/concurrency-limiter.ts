import { ApiError } from '../../contract/api-error.ts'

/**
 * Reads by turns: so many at once in this process, and of one project only a part of them, so that there is always a
 * place for another. Those who wait are let in by turns between projects: one that asks for a hundred things waits
 * behind itself.
 */
export interface ConcurrencyLimits {
  readonly maxConcurrent: number
  readonly maxPerProject: number
  readonly waitMs: number
}

/** Beyond this many of one project there is no point in waiting. */
const MOST_WAITING = 200

interface Waiter {
  readonly project_id: string
  readonly go: () => void
}

export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimits
  readonly #what: string
  readonly #running = new Map<string, number>()
  /** By project, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  #total = 0

  constructor(options: ConcurrencyLimits, what = 'heavy reads') {
    this.#options = options
    this.#what = what
  }

  /** Gives back how to end the turn. Throws `unavailable` if none comes in time, or the signal's reason. */
  take(project_id: string, signal?: AbortSignal): Promise<() => void> {
    const turn = this.takeNow(project_id)
    if (turn !== undefined) return Promise.resolve(turn)
    const line = this.#waiting.get(project_id) ?? []
    if (line.length >= MOST_WAITING) return Promise.reject(this.#busy(project_id))
    return new Promise((settle, refuse) => {
      const leave = (reason: unknown): void => {
        this.#remove(waiter)
        stopWaiting()
        refuse(reason instanceof Error ? reason : new Error('nobody waits for this any more'))
      }
      const timer = setTimeout(() => leave(this.#busy(project_id)), this.#options.waitMs)
      const onAbort = (): void => leave(signal?.reason)
      const stopWaiting = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const waiter: Waiter = {
        project_id,
        go: () => {
          stopWaiting()
          settle(this.#begin(project_id))
        },
      }
      this.#waiting.set(project_id, [...line, waiter])
    })
  }

  /** Undefined if there is none without waiting. */
  takeNow(project_id: string): (() => void) | undefined {
    return this.#fits(project_id) ? this.#begin(project_id) : undefined
  }

  #fits(project_id: string): boolean {
    const { maxConcurrent, maxPerProject } = this.#options
    return this.#total < maxConcurrent && (this.#running.get(project_id) ?? 0) < maxPerProject
  }

  #begin(project_id: string): () => void {
    this.#total++
    this.#running.set(project_id, (this.#running.get(project_id) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#total--
      const rest = (this.#running.get(project_id) ?? 1) - 1
      if (rest === 0) this.#running.delete(project_id)
      else this.#running.set(project_id, rest)
      this.#admit()
    }
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#remove(next)
      // To the end of the line.
      const rest = this.#waiting.get(next.project_id)
      this.#waiting.delete(next.project_id)
      if (rest !== undefined) this.#waiting.set(next.project_id, rest)
      next.go()
    }
  }

  #next(): Waiter | undefined {
    for (const [first] of this.#waiting.values()) {
      if (first !== undefined && this.#fits(first.project_id)) return first
    }
    return undefined
  }

  #remove(waiter: Waiter): void {
    const rest = (this.#waiting.get(waiter.project_id) ?? []).filter((other) => other !== waiter)
    if (rest.length > 0) this.#waiting.set(waiter.project_id, rest)
    else this.#waiting.delete(waiter.project_id)
  }

  #busy(project_id: string): ApiError {
    const { maxPerProject, maxConcurrent, waitMs } = this.#options
    const own = (this.#running.get(project_id) ?? 0) >= maxPerProject
    const limit = own
      ? `${maxPerProject} ${this.#what} of ${project_id} (HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT)`
      : `${maxConcurrent} ${this.#what} of all projects (HEDDLE_MAX_CONCURRENT_READS)`
    return new ApiError(
      'unavailable',
      `${limit} are under way, and none ended within ${waitMs} ms; ask again`,
      {
        retryAfterSeconds: 2,
      },
    )
  }
}
