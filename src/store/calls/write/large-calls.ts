import { LargeWork } from '../../../core/concurrency/large-work.ts'
import { ResultLimit } from '../../../core/concurrency/result-limit.ts'
import type { StatementOptions } from '../../database/queries.ts'
import { type CallKey, callKey } from './call-keys.ts'

/**
 * Collects the calls whose stored payloads are too large for the main thread to join with new facts. Their requests
 * are executed again by the thread for large requests.
 */
export class LargeCalls {
  readonly #maxRowBytes: number
  readonly #keys = new Set<string>()

  constructor(maxRowBytes: number) {
    this.#maxRowBytes = maxRowBytes
  }

  has(call: CallKey): boolean {
    return this.#keys.size > 0 && this.#keys.has(callKey(call))
  }

  /** For statements that select project_id and id first. */
  get statementOptions(): Pick<StatementOptions, 'limit' | 'placeholderColumns'> {
    const limit = new ResultLimit({
      maxBytes: Number.POSITIVE_INFINITY,
      maxRowBytes: this.#maxRowBytes,
      exceeded: () => this.error(),
      isMainThread: true,
    })
    return { limit, placeholderColumns: ['project_id', 'id'] }
  }

  /** Without the placeholders of large rows, whose calls are collected. */
  collect<Row extends CallKey & { readonly is_large_row?: true }>(rows: readonly Row[]): readonly Row[] {
    const large = rows.filter((row) => row.is_large_row === true)
    for (const row of large) this.#keys.add(callKey(row))
    return large.length === 0 ? rows : rows.filter((row) => row.is_large_row !== true)
  }

  error(): LargeWork {
    return new LargeWork('a stored call')
  }
}
