import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import type { QueryClass } from './read-limits.ts'

/** A stream that runs longer than this counts as an export, so that a slow reader does not block other reads. */
const STREAM_SLOT_MS = 10_000

/** Admission control: limits the concurrent heavy reads, separately for reads and for exports. */
export class ReadAdmission {
  readonly #reads: ConcurrencyLimiter | undefined
  /** Separate slots: exports run for long, and no list waits for one to end. */
  readonly #exports: ConcurrencyLimiter | undefined

  /** Without limits every read is admitted. */
  constructor(limits: ConcurrencyLimits | undefined) {
    this.#reads = limits && new ConcurrencyLimiter(limits)
    this.#exports = limits && new ConcurrencyLimiter(limits, 'exports or long streams')
  }

  /** Waits for a slot. Reads by id are fast and never wait. Statements outside a request have no project to limit. */
  async acquire(kind: QueryClass): Promise<void> {
    const scope = currentRequest()
    if (kind === 'point' || kind === 'write' || scope?.project_id === undefined) return
    const { project_id, signal } = scope
    const limiter = kind === 'export' ? this.#exports : this.#reads
    if (limiter !== undefined) await scope.slot.acquire(() => limiter.acquire(project_id, signal))
  }

  /**
   * Trades the read slot of a long stream for an export slot as soon as one is free; until then the stream keeps its
   * slot. Returns the function that ends the attempts.
   */
  tradeForExportSlot(kind: QueryClass): () => void {
    const scope = currentRequest()
    const exports = this.#exports
    if (kind === 'export' || scope?.project_id === undefined || exports === undefined) return () => {}
    const { project_id } = scope
    const timer = setInterval(() => {
      const slot = exports.tryAcquire(project_id)
      if (slot === undefined) return
      clearInterval(timer)
      scope.slot.replace(slot)
    }, STREAM_SLOT_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
}
