import { ApiError } from '../../contract/api-error.ts'
import { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import type { PartialResult } from '../../core/concurrency/partial-result.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import { clickHouseErrorCode } from '../database/clickhouse-error.ts'
import type { Reads } from '../database/database.ts'
import type { StatementOptions } from '../database/queries.ts'
import type { QueryClass } from '../database/read-limits.ts'
import type { Sql } from '../query/sql.ts'
import type { ShardHealth } from './shard-health.ts'

/**
 * Reads while shards are down. A statement that needs a shard which is down runs without it if its request accepts a
 * partial result, which is then marked. Otherwise it waits for the shard, and fails once the shard has been down for the retry
 * window. No statement runs into a timeout because of a shard that is known to be down.
 */

interface ShardReadOptions {
  readonly health: ShardHealth
  readonly retryWindowMs: number
  /** Reads all shards that the statement needs. */
  readonly complete: Reads
  /** Indexes. */
  readonly neededShards: (statement: Sql) => readonly number[]
  /** Reads all shards but these; undefined if the statement cannot be run without one. */
  readonly without?: PartialReads
}

interface PartialReads {
  open(missing: readonly number[]): Promise<Reads>
  /** A statement failed there: its servers may have changed. */
  reopen(missing: readonly number[]): void
}

/** Only these may be partial. An export or a deletion must be complete; sign-in, the live feed and writes have their own ways. */
const MAY_BE_PARTIAL: ReadonlySet<QueryClass> = new Set<QueryClass>(['point', 'list', 'scan'])
const IS_GUARDED: ReadonlySet<QueryClass> = new Set<QueryClass>([...MAY_BE_PARTIAL, 'export'])

/** Ends the attempts of a statement: a shard that it needs is down. */
class ShardDownError extends Error {}

interface Plan {
  readonly reads: Reads
  readonly options: StatementOptions
  /** Indexes of the shards that are left out. */
  readonly missing: readonly number[]
  /** Of those that are read. The statement is cancelled when one of them stops responding, until `unwatch`. */
  readonly watched: readonly number[]
  readonly unwatch: () => void
}

export class ShardReads implements Reads {
  readonly #options: ShardReadOptions

  constructor(options: ShardReadOptions) {
    this.#options = options
  }

  async rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    if (!IS_GUARDED.has(options.kind)) return this.#options.complete.rows<Row>(statement, options)
    const deadlineMs = this.#deadlineMs()
    for (;;) {
      const plan = await this.#plan(statement, options, deadlineMs)
      try {
        return await plan.reads.rows<Row>(statement, plan.options)
      } catch (error) {
        await this.#throwUnlessShardDown(error, plan)
      } finally {
        plan.unwatch()
      }
    }
  }

  stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    if (!IS_GUARDED.has(options.kind)) return this.#options.complete.stream<Row>(statement, options)
    return new BatchedStream(this.#batches<Row>(statement, options))
  }

  async *#batches<Row>(statement: Sql, options: StatementOptions): AsyncGenerator<readonly Row[]> {
    const deadlineMs = this.#deadlineMs()
    for (;;) {
      const plan = await this.#plan(statement, options, deadlineMs)
      let hasBegun = false
      try {
        for await (const batch of plan.reads.stream<Row>(statement, plan.options).batches) {
          // From here on ClickHouse reports what fails, and the statement cannot be repeated.
          plan.unwatch()
          hasBegun = true
          yield batch
        }
        return
      } catch (error) {
        if (hasBegun) throw error
        await this.#throwUnlessShardDown(error, plan)
      } finally {
        plan.unwatch()
      }
    }
  }

  #deadlineMs(): number {
    return performance.now() + this.#options.retryWindowMs
  }

  /** Decides how to run the statement now. Waits while shards that it needs are down, until the deadline. */
  async #plan(statement: Sql, options: StatementOptions, deadlineMs: number): Promise<Plan> {
    const { health, complete, without } = this.#options
    const needed = this.#options.neededShards(statement)
    const partial = MAY_BE_PARTIAL.has(options.kind) ? currentRequest()?.partial : undefined
    for (;;) {
      const down = needed.filter((index) => !health.isUp(index))
      const missing = [...new Set([...down, ...leftOut(partial, needed)])].sort((a, b) => a - b)
      const canRun = missing.length < needed.length
      if (missing.length === 0) return this.#planFor(complete, options, needed, missing)
      if (partial !== undefined) {
        // A person is waiting: what cannot be shown is reported at once.
        if (without === undefined || !canRun || !partial.leaveOut(missing.map(numberOf)))
          throw this.#unavailable(missing)
        return this.#planFor(await without.open(missing), options, needed, missing)
      }
      const waitUntilMs = Math.min(deadlineMs, ...down.map((index) => this.#giveUpMs(index)))
      if (performance.now() >= waitUntilMs) throw this.#unavailable(down)
      await health.waitForChange(down, waitUntilMs)
    }
  }

  #planFor(
    reads: Reads,
    options: StatementOptions,
    needed: readonly number[],
    missing: readonly number[],
  ): Plan {
    const { health } = this.#options
    const watched = needed.filter((index) => !missing.includes(index))
    const cancellation = new AbortController()
    const unwatch = health.onDown(watched, () => cancellation.abort())
    const { signal } = cancellation
    const beforeRetry = async (): Promise<void> => {
      await health.check()
      if (watched.some((index) => !health.isUp(index))) throw new ShardDownError()
    }
    return { reads, options: { ...options, beforeRetry, signal }, missing, watched, unwatch }
  }

  /** A shard that has been down for the retry window is not waited for: waiting reads would take the slots of others. */
  #giveUpMs(index: number): number {
    return (this.#options.health.downSinceMs(index) ?? 0) + this.#options.retryWindowMs
  }

  /** Throws what the caller gets. Returns if the statement failed because a shard is down, so that it is planned again. */
  async #throwUnlessShardDown(error: unknown, { missing, watched, options }: Plan): Promise<void> {
    const { health, without } = this.#options
    const wasDown = options.signal?.aborted === true || error instanceof ShardDownError
    if (!wasDown && error instanceof ApiError && error.code === 'unavailable') await health.check()
    const isDisconnected = currentRequest()?.signal?.aborted === true
    if (!isDisconnected && (wasDown || watched.some((index) => !health.isUp(index)))) return
    if (missing.length > 0) without?.reopen(missing)
    // Tables of the first shard do not exist where it is left out.
    if (missing.includes(0) && clickHouseErrorCode(error) === UNKNOWN_TABLE)
      throw this.#unavailable([0], error)
    throw error
  }

  #unavailable(indexes: readonly number[], cause?: unknown): ApiError {
    const canBePartial = this.#options.without !== undefined && currentRequest()?.partial === undefined
    return shardsUnavailable(indexes.map(numberOf), {
      hint: canBePartial ? `, or send the header "Heddle-Accept-Partial: true" to read the other shards` : '',
      cause,
    })
  }
}

/** ClickHouse's UNKNOWN_TABLE. */
const UNKNOWN_TABLE = '60'

function numberOf(index: number): number {
  return index + 1
}

/** What the request has already left out stays left out: its statements must see the same calls. */
function leftOut(partial: PartialResult | undefined, needed: readonly number[]): number[] {
  if (partial === undefined) return []
  return partial.shards
    .map((shard) => shard - 1)
    .filter((index) => needed.length > 1 && needed.includes(index))
}

function shardsUnavailable(
  shards: readonly number[],
  { hint = '', cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): ApiError {
  const subject = shards.length === 1 ? `shard ${shards[0]} is` : `shards ${shards.join(' and ')} are`
  return new ApiError('unavailable', `${subject} unavailable; retry the request${hint}`, {
    cause,
    retryAfterSeconds: 5,
    extra: { unavailable_shards: shards },
  })
}
