import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Micros } from '../../core/time/time.ts'
import { isResourceLimit } from '../../store/database/clickhouse-error.ts'
import { findLastRun, recordJobRun } from '../../store/jobs/job-runs.ts'
import { type RenewLease, withLease } from '../../store/jobs/leases.ts'
import { readDiskPercent } from '../../store/retention/disk.ts'
import { removeLists } from '../../store/retention/deletion-runs.ts'
import { listPolicies, type PolicyRow } from '../../store/retention/policies.ts'
import { reclaimDeleted } from '../../store/retention/reclaim.ts'
import { resumeRuns } from '../../store/retention/resume-runs.ts'
import { findCutoffs } from '../../store/retention/retention-plan.ts'
import { type DeletedCalls, runCutoffs } from '../../store/retention/run-cutoffs.ts'
import type { Deps } from '../deps.ts'
import { freeDisk } from './free-disk.ts'

/**
 * The background job of retention: applies the policies of all projects, gives disk space back, and watches the disk. One
 * node at a time runs it, under a lease.
 */
export const RETENTION_JOB = 'retention'
const RECLAIM_JOB = 'retention-reclaim'

const TICK_MS = 10_000
/** All deleted rows leave the disk after this time, however few they are in their partition. */
const RECLAIM_MICROS = 7n * 86_400_000_000n

export interface RetentionJobOptions {
  /** 0 disables scheduled runs. */
  readonly intervalSeconds: number
  /** Warn when the disk of ClickHouse is fuller, in percent; 0: never. */
  readonly diskWarnPercent: number
  /** Delete the oldest calls of all projects when it is fuller; 0: never. */
  readonly diskDeletePercent: number
  readonly onError: (error: unknown) => void
  readonly onDiskWarning: (percent: number) => void
  /** Replaced by tests. */
  readonly diskPercent?: () => Promise<number>
}

interface RunResults {
  readonly add: (deleted: DeletedCalls) => void
  readonly onError: (error: unknown) => void
}

export class RetentionJob {
  readonly #deps: Deps
  readonly #options: RetentionJobOptions
  readonly #owner = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  readonly #createdAt: Micros
  readonly #deleted = { calls: 0, payloads: 0 }
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isStopped = false
  #lastRun: Micros | undefined
  #hasPolicies = false

  constructor(deps: Deps, options: RetentionJobOptions) {
    this.#deps = deps
    this.#options = options
    this.#createdAt = deps.now()
  }

  start(): void {
    if (this.#options.intervalSeconds === 0) return
    this.#timer = setInterval(() => void this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  /** A run that is under way ends with its next statement; the next one repeats what is left. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  /** What this process has deleted since its start. */
  get deleted(): DeletedCalls {
    return this.#deleted
  }

  /** Seconds since the last complete run on any node began; 0 without policies. */
  get lagSeconds(): number {
    if (!this.#hasPolicies) return 0
    return Number(this.#deps.now() - (this.#lastRun ?? this.#createdAt)) / 1e6
  }

  async #tick(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      await this.#observe()
      if (this.#isDue()) await this.runUnlessRecent()
    } catch (error) {
      if (!this.#isStopped) this.#options.onError(error)
    }
    this.#isRunning = false
  }

  async #observe(): Promise<void> {
    const { db } = this.#deps
    this.#lastRun = await findLastRun(db, RETENTION_JOB)
    this.#hasPolicies = (await listPolicies(db)).length > 0
  }

  #isDue(): boolean {
    const interval = BigInt(this.#options.intervalSeconds) * 1_000_000n
    return this.#lastRun === undefined || this.#deps.now() - this.#lastRun >= interval
  }

  /** Returns undefined if another node runs it, or just has. */
  async runUnlessRecent(): Promise<DeletedCalls | undefined> {
    return this.#withLease(async (renew) => {
      await this.#observe()
      return this.#isDue() ? this.#run(renew) : undefined
    })
  }

  /** Runs now; undefined if another node does. */
  async run(): Promise<DeletedCalls | undefined> {
    return this.#withLease((renew) => this.#run(renew))
  }

  #withLease<T>(work: (renew: RenewLease) => Promise<T>): Promise<T | undefined> {
    return withLease(this.#deps.db, RETENTION_JOB, this.#owner, (renew) =>
      work(async () => {
        if (this.#isStopped) throw new Error('the server is stopping')
        await renew()
      }),
    )
  }

  async #run(renew: RenewLease): Promise<DeletedCalls> {
    const { db, now } = this.#deps
    const started_at = now()
    const total = { calls: 0, payloads: 0 }
    const errors: string[] = []
    const onError = (error: unknown): void => {
      this.#options.onError(error)
      errors.push(error instanceof Error ? error.message : String(error))
    }
    const add = ({ calls, payloads }: DeletedCalls): void => {
      for (const sums of [total, this.#deleted]) {
        sums.calls += calls
        sums.payloads += payloads
      }
    }
    add(await resumeRuns(db, renew, onError))
    const policies = await listPolicies(db)
    await this.#applyPolicies(policies, started_at, renew, { add, onError })
    await removeLists(db, renew)
    await this.#reclaim(renew, started_at)
    await this.#watchDisk(renew, add)
    await recordJobRun(db, { job: RETENTION_JOB, owner: this.#owner, started_at, error: errors.join('\n') })
    if (errors.length === 0) this.#lastRun = started_at
    this.#hasPolicies = policies.length > 0
    return total
  }

  /** All at once; if that is too much, each half separately, so that one large project does not stop the others. */
  async #applyPolicies(
    policies: readonly PolicyRow[],
    started_at: Micros,
    renew: RenewLease,
    results: RunResults,
  ): Promise<void> {
    const { db } = this.#deps
    await renew()
    try {
      const cutoffs = await findCutoffs(db, policies, started_at)
      results.add(await runCutoffs(db, cutoffs, 'retention', renew))
    } catch (error) {
      if (this.#isStopped) throw error
      if (policies.length > 1 && isResourceLimit(error)) {
        const half = Math.ceil(policies.length / 2)
        await this.#applyPolicies(policies.slice(0, half), started_at, renew, results)
        await this.#applyPolicies(policies.slice(half), started_at, renew, results)
      } else results.onError(error)
    }
  }

  async #reclaim(renew: RenewLease, started_at: Micros): Promise<void> {
    const { db } = this.#deps
    const last = await findLastRun(db, RECLAIM_JOB)
    const isDue = last === undefined || started_at - last >= RECLAIM_MICROS
    await reclaimDeleted(db, renew, isDue ? 0 : undefined)
    if (isDue) await recordJobRun(db, { job: RECLAIM_JOB, owner: this.#owner, started_at, error: '' })
  }

  async #watchDisk(renew: RenewLease, add: (run: DeletedCalls) => void): Promise<void> {
    const { diskWarnPercent, diskDeletePercent, onDiskWarning } = this.#options
    const { db } = this.#deps
    const diskPercent = this.#options.diskPercent ?? (() => readDiskPercent(db))
    const percent = await diskPercent()
    if (diskWarnPercent > 0 && percent >= diskWarnPercent) onDiskWarning(percent)
    if (diskDeletePercent === 0 || percent < diskDeletePercent) return
    add(await freeDisk(this.#deps, { diskPercent, untilPercent: diskDeletePercent, renew }))
  }
}
