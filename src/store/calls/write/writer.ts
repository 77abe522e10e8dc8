import { ApiError } from '../../../contract/api-error.ts'
import type { CallFacts } from '../../../core/calls/call-facts.ts'
import { RecordClock } from '../../../core/calls/record-clock.ts'
import { FairQueue } from '../../../core/concurrency/fair-queue.ts'
import { insertDelayMs } from '../../../core/concurrency/insert-delay.ts'
import type { Database } from '../../database/database.ts'
import { ColumnExtractor } from '../columns/column-extractor.ts'
import { callKey } from './call-keys.ts'
import { FastPath, type StoredBatch } from './fast-path.ts'
import { LargeCalls } from './large-calls.ts'
import { MonthTurns } from './month-turns.ts'
import { MAX_MONTHS_PER_INSERT } from './months.ts'
import { reconcile } from './reconcile.ts'
import type { WriteContext } from './write-context.ts'

/**
 * Schedules the inserts of calls. Requests that arrive while ClickHouse is busy share its next insert, so many small
 * requests need few inserts. A request is acknowledged when its insert is. A project that sends too much waits in its own
 * queue and does not delay others.
 */
export interface CallWriterOptions {
  readonly maxRowsPerInsert: number
  readonly maxBytesPerInsert: number
  /** Inserts that are stored and in their conflict check; the next insert may start during it. */
  readonly maxConcurrentConflictChecks: number
  /** Above this, requests are rejected with a retry hint, so that memory stays bounded. */
  readonly maxPendingBytes: number
  readonly recentStartsBytes: number
  /**
   * If a stored row that is needed is larger, `write` fails with `LargeWork`. Some of its records may be stored then;
   * storing all of them again changes nothing.
   */
  readonly maxStoredRowBytes?: number
}

const CALL_WRITER_DEFAULTS: CallWriterOptions = {
  maxRowsPerInsert: 10_000,
  maxBytesPerInsert: 32 * 1024 * 1024,
  maxConcurrentConflictChecks: 2,
  maxPendingBytes: 256 * 1024 * 1024,
  recentStartsBytes: 64 * 1024 * 1024,
}

/** The share of one project in an insert while several projects wait: a few requests of 100 calls. */
const FAIR_SHARE_BYTES = 2 * 1024 * 1024

/** When ClickHouse is unavailable, requests that have been queued longer fail at once instead of being retried. */
const MAX_QUEUE_WAIT_MS = 5_000

/** The turns of rows of many months that the slow path writes, of any project. */
const SLOW_PATH = ''

interface Submission {
  readonly sinceMs: number
  readonly calls: readonly CallFacts[]
  readonly bytes: number
  readonly stored: () => void
  readonly failed: (error: unknown) => void
}

/** The place of a batch among those that are stored at the same time. */
interface BatchProgress {
  /** The next insert may start. */
  readonly inserted: () => void
  /** What is left of this batch takes long, and no longer counts. */
  readonly release: () => void
}

/** What services use of it; a cluster has a writer per shard behind it. */
export type CallStore = Pick<CallWriter, 'clock' | 'columns' | 'forgetStarts' | 'pendingBytes' | 'write'>

export class CallWriter implements WriteContext {
  readonly clock: RecordClock
  readonly columns: ColumnExtractor
  readonly #db: Database
  readonly #options: CallWriterOptions
  readonly #turns: MonthTurns
  readonly #fastPath: FastPath
  readonly #queue = new FairQueue<Submission>(FAIR_SHARE_BYTES)
  #queuedRows = 0
  #pendingBytes = 0
  #isInserting = false
  #conflictChecks = 0
  #lastInsertMs = Number.NEGATIVE_INFINITY
  #lastChangeMs = Number.NEGATIVE_INFINITY
  #previousRequests = 0
  #previousRows = 0
  #previousMs = 0
  #timer: { readonly at: number; readonly timeout: NodeJS.Timeout } | undefined

  constructor(
    db: Database,
    options: Partial<CallWriterOptions> = {},
    { clock = new RecordClock(), columns = new ColumnExtractor() }: Partial<WriteContext> = {},
  ) {
    this.clock = clock
    this.columns = columns
    this.#db = db
    this.#options = { ...CALL_WRITER_DEFAULTS, ...options }
    this.#turns = new MonthTurns(db)
    this.#fastPath = new FastPath(db, columns, this.#options.recentStartsBytes, this.#turns)
  }

  /** Bytes of calls that are queued or being stored. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** Drops the cached starts: those of a deleted project must not become part of a new call. */
  forgetStarts(): void {
    this.#fastPath.forgetStarts()
  }

  /** Resolves when all calls are stored and readable. */
  async write(calls: readonly CallFacts[]): Promise<void> {
    if (calls.length === 0) return
    const bytes = calls.reduce((sum, call) => sum + callBytes(call), 0)
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#options.maxPendingBytes) {
      throw new ApiError('rate_limited', 'calls arrive faster than they can be stored; retry shortly', {
        retryAfterSeconds: 1,
      })
    }
    this.#turns.admit(calls)
    this.#pendingBytes += bytes
    try {
      await new Promise<void>((stored, failed) => {
        const now = performance.now()
        this.#lastChangeMs = now
        this.#enqueue({ sinceMs: now, calls, bytes, stored, failed })
        this.#schedule()
      })
    } finally {
      this.#pendingBytes -= bytes
    }
  }

  /** Starts the next insert if it is due, or sets a timer for it. */
  #schedule(): void {
    if (this.#queue.size === 0 || this.#conflictChecks >= this.#options.maxConcurrentConflictChecks) return
    const now = performance.now()
    const wait = insertDelayMs({
      requests: this.#queue.size,
      rows: this.#queuedRows,
      bytes: this.#queue.bytes,
      isInserting: this.#isInserting,
      sinceInsertMs: now - this.#lastInsertMs,
      previousRequests: this.#previousRequests,
      previousRows: this.#previousRows,
      previousMs: this.#previousMs,
      quietMs: this.#conflictChecks > 0 ? 0 : now - this.#lastChangeMs,
    })
    if (wait === 0) this.#startInsert()
    // Without a finite delay, the end of the present insert schedules the next.
    else if (Number.isFinite(wait)) this.#scheduleIn(wait)
  }

  /** Requests that arrive before that may bring the time forward. */
  #scheduleIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#timer !== undefined && this.#timer.at <= at) return
    clearTimeout(this.#timer?.timeout)
    const timeout = setTimeout(() => {
      this.#timer = undefined
      this.#schedule()
    }, ms)
    this.#timer = { at, timeout }
  }

  #startInsert(): void {
    const waiting = this.#queuedRows
    const taken = this.#take(this.#options.maxRowsPerInsert, this.#options.maxBytesPerInsert)
    this.#previousRequests = taken.length
    this.#previousRows = waiting - this.#queuedRows
    this.#isInserting = true
    const startedMs = performance.now()
    let isInserted = false
    const inserted = (): void => {
      if (isInserted) return
      isInserted = true
      this.#isInserting = false
      this.#lastInsertMs = performance.now()
      this.#previousMs = this.#lastInsertMs - startedMs
      this.#conflictChecks++
      this.#schedule()
    }
    let isReleased = false
    const release = (): void => {
      inserted()
      if (!isReleased) this.#conflictChecks--
      isReleased = true
      this.#lastChangeMs = performance.now()
      this.#schedule()
    }
    void this.#store(taken, { inserted, release }).finally(release)
  }

  async #store(submissions: readonly Submission[], progress: BatchProgress): Promise<void> {
    const open = new Set(submissions)
    const acknowledge = (submission: Submission): void => {
      open.delete(submission)
      submission.stored()
    }
    const { maxStoredRowBytes } = this.#options
    const large = maxStoredRowBytes === undefined ? undefined : new LargeCalls(maxStoredRowBytes)
    const failLarge = (): void => {
      for (const submission of open) {
        if (large === undefined || !submission.calls.some((call) => large.has(call))) continue
        open.delete(submission)
        submission.failed(large.error())
      }
    }
    try {
      const calls = submissions.flatMap((submission) => submission.calls)
      const { slowPath, apart } = await this.#fastPath.store(calls, progress.inserted, large)
      failLarge()
      const others = apart.flatMap((group) => group.calls)
      // Requests without calls on the slow path, or apart, are acknowledged before them.
      const openKeys = new Set([...slowPath, ...others.map(({ facts }) => facts)].map(callKey))
      const isDone = ({ calls: own }: Submission): boolean =>
        openKeys.size === 0 || own.every((call) => !openKeys.has(callKey(call)))
      ;[...open].filter(isDone).forEach(acknowledge)
      const conflicts = await this.#storeApart(apart, open, progress)
      await reconcile(this.#db, this, [...slowPath, ...conflicts], large, (insert) => {
        progress.release()
        return this.#turns.run(SLOW_PATH, MAX_MONTHS_PER_INSERT, insert)
      })
      failLarge()
      ;[...open].forEach(acknowledge)
    } catch (error) {
      await this.#fail([...open], error, progress)
    }
  }

  /** Stores calls of many months. If that fails, only their own requests do. Returns the calls that need the slow path. */
  async #storeApart(
    apart: StoredBatch['apart'],
    open: Set<Submission>,
    { release }: BatchProgress,
  ): Promise<CallFacts[]> {
    if (apart.length === 0) return []
    release()
    const failures = new Map<string, unknown>()
    const conflicts = await Promise.all(
      apart.map((group) =>
        this.#fastPath.storeApart(group).catch((error: unknown) => {
          for (const { facts } of group.calls) failures.set(callKey(facts), error)
          return []
        }),
      ),
    )
    for (const submission of open) {
      const failed = submission.calls.find((call) => failures.has(callKey(call)))
      if (failed === undefined) continue
      open.delete(submission)
      submission.failed(failures.get(callKey(failed)))
    }
    return conflicts.flat()
  }

  /** A permanent error fails only the request that caused it: the requests of the batch are stored one by one. */
  async #fail(submissions: readonly Submission[], error: unknown, progress: BatchProgress): Promise<void> {
    const isForAll =
      error instanceof ApiError && error.retryAfterSeconds !== undefined && error.code !== 'rate_limited'
    if (isForAll) this.#failQueued(error)
    if (isForAll || submissions.length === 1) for (const submission of submissions) submission.failed(error)
    else for (const submission of submissions) await this.#store([submission], progress)
  }

  /** ClickHouse is unavailable: requests that waited in the queue do not wait for another retry window. */
  #failQueued(error: unknown): void {
    const now = performance.now()
    for (const submission of this.#take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)) {
      if (now - submission.sinceMs > MAX_QUEUE_WAIT_MS) submission.failed(error)
      else this.#enqueue(submission)
    }
  }

  #enqueue(submission: Submission): void {
    const { calls, bytes } = submission
    const [first] = calls
    if (first === undefined) return
    this.#queue.push(first.project_id, submission, { bytes, count: calls.length })
    this.#queuedRows += calls.length
  }

  #take(count: number, bytes: number): Submission[] {
    const taken = this.#queue.take({ count, bytes })
    for (const { calls } of taken) this.#queuedRows -= calls.length
    return taken
  }
}

function callBytes(call: CallFacts): number {
  if (call.rowBytes !== undefined) return call.rowBytes
  const contents = call.contents?.reduce((sum, { body }) => sum + body.length, 0) ?? 0
  return (call.start?.body.length ?? 0) + (call.end?.body.length ?? 0) + contents + call.id.length + 200
}
