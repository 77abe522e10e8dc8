import { ApiError } from '../../contract/api-error.ts'
import {
  ConcurrencyLimiter,
  type ReachedLimit,
  type SlotOwner,
} from '../../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import { isHeavy, type QueryClass } from './read-limits.ts'

/** Limits of concurrent heavy reads in this process, and separately of exports. */
export interface ReadConcurrency {
  readonly maxConcurrent: number
  readonly maxPerUser: number
  readonly maxPerProject: number
  /** How long a read waits for a slot. */
  readonly waitMs: number
}

/** Further heavy reads of the user are rejected without waiting. */
const MAX_WAITING_PER_USER = 200

/** Reads by id take milliseconds. The limits keep their connections fair between users. */
const POINT_LIMITS = {
  maxConcurrent: 32,
  maxPerUser: 6,
  maxPerProject: Number.POSITIVE_INFINITY,
  maxWaitingPerUser: 1_000,
}

/** A stream that runs longer than this counts as an export, so that a slow reader does not block other reads. */
const STREAM_SLOT_MS = 10_000

const RETRY_AFTER_SECONDS = 2

type Release = () => void
const NOTHING: Release = () => {}

/**
 * Admission control: limits the concurrent reads of requests, separately for heavy reads, exports and reads by id.
 * Statements outside a request have no user to limit and are admitted.
 */
export class ReadAdmission {
  readonly #heavy: ConcurrencyLimiter | undefined
  /** Separate slots: exports run for long, and no list waits for one to end. */
  readonly #exports: ConcurrencyLimiter | undefined
  readonly #points: ConcurrencyLimiter | undefined

  /** Without limits every read is admitted. */
  constructor(limits: ReadConcurrency | undefined) {
    if (limits === undefined) return
    const heavyLimits = { ...limits, maxWaitingPerUser: MAX_WAITING_PER_USER }
    this.#heavy = new ConcurrencyLimiter(heavyLimits, heavyReadsBusy(limits, 'heavy reads'))
    this.#exports = new ConcurrencyLimiter(heavyLimits, heavyReadsBusy(limits, 'exports or long streams'))
    this.#points = new ConcurrencyLimiter({ ...POINT_LIMITS, waitMs: limits.waitMs }, pointReadsBusy)
  }

  /** Slots held now. */
  get leases(): Readonly<Record<'heavy_reads' | 'exports' | 'point_reads', number>> {
    return {
      heavy_reads: this.#heavy?.held ?? 0,
      exports: this.#exports?.held ?? 0,
      point_reads: this.#points?.held ?? 0,
    }
  }

  /**
   * Waits until the statement may run; call the returned function when it is done. A request has one slot for all its
   * heavy reads until it ends. A read by id has a slot of its own while it runs, which waits for no other slot.
   */
  async acquire(kind: QueryClass): Promise<Release> {
    const scope = currentRequest()
    if (scope === undefined) return NOTHING
    if (kind === 'point') return (await this.#points?.acquire(scope, scope.signal)) ?? NOTHING
    const limiter = kind === 'export' ? this.#exports : this.#heavy
    if (isHeavy(kind) && limiter !== undefined)
      await scope.slot.acquire(() => limiter.acquire(scope, scope.signal))
    return NOTHING
  }

  /**
   * Trades the read slot of a long stream for an export slot as soon as one is free; until then the stream keeps its
   * slot. Returns the function that ends the attempts.
   */
  tradeForExportSlot(kind: QueryClass): () => void {
    const scope = currentRequest()
    const exports = this.#exports
    if (!isHeavy(kind) || kind === 'export' || scope === undefined || exports === undefined) return NOTHING
    const timer = setInterval(() => {
      const slot = exports.tryAcquire(scope)
      if (slot === undefined) return
      clearInterval(timer)
      scope.slot.replace(slot)
    }, STREAM_SLOT_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
}

function heavyReadsBusy(
  { maxConcurrent, maxPerUser, maxPerProject, waitMs }: ReadConcurrency,
  label: string,
) {
  return (limit: ReachedLimit, { project_id }: SlotOwner): ApiError => {
    const running = {
      user: `${maxPerUser} ${label} of this user (HEDDLE_MAX_CONCURRENT_READS_PER_USER)`,
      project: `${maxPerProject} ${label} of ${project_id} (HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT)`,
      process: `${maxConcurrent} ${label} of all projects (HEDDLE_MAX_CONCURRENT_READS)`,
    }[limit]
    return busy(`${running} are running, and none finished within ${waitMs} ms; try again`)
  }
}

function pointReadsBusy(): ApiError {
  return busy('too many reads of this user are waiting; send fewer at the same time and try again')
}

function busy(reason: string): ApiError {
  return new ApiError('unavailable', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
