import { ApiError } from '../../../contract/api-error.ts'
import type { CallFacts } from '../../../core/calls/call-facts.ts'
import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import { FairScheduler } from '../../../core/concurrency/fair-scheduler.ts'
import { TokenBucket } from '../../../core/concurrency/token-bucket.ts'
import type { Database } from '../../database/database.ts'
import { type Sql, sql } from '../../query/sql.ts'
import { commonMonths, MAX_MONTHS_PER_INSERT, type Month, monthOfCall } from './months.ts'

/**
 * Decides which calls of a batch share its insert, and gives turns to the others: calls of many different months, each of which
 * costs ClickHouse a part. The insert that all projects share has at most twelve months. The rest is inserted beside it, one
 * insert at a time, round robin over projects, so that a project with such calls delays only itself.
 */

/** Parts of uncommon months that a project may cause at once, and per second. 360 months are all that there are. */
const PARTS_PER_SECOND = 30
const BURST_SECONDS = 12
const MAX_PROJECTS = 10_000

/** A request with every month needs 30 turns. */
const MAX_WAITING_PER_PROJECT = 300
const MAX_WAITING = 3_000
const MAX_WAIT_MS = 120_000

/** ClickHouse rejects all inserts above 100,000 (`max_parts_in_total`). */
const MAX_STORED_PARTS = 30_000
/** The number of stored parts is read again after this many. */
const PARTS_PER_CHECK = 1_000

/** Calls of one project that need an insert of their own. */
export interface ApartCalls<Call> {
  readonly project_id: string
  readonly months: number
  readonly calls: readonly Call[]
}

interface SplitBatch<Call> {
  readonly shared: readonly Call[]
  readonly apart: readonly ApartCalls<Call>[]
}

export class MonthTurns {
  readonly #db: Database
  readonly #debts = new BoundedMap<string, TokenBucket>(MAX_PROJECTS)
  readonly #turns = new FairScheduler({
    capacity: 1,
    maxPerKey: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: MAX_WAITING_PER_PROJECT,
    waitMs: MAX_WAIT_MS,
    rejection: () => tooManyMonths(10),
  })
  #uncheckedParts = PARTS_PER_CHECK

  constructor(db: Database) {
    this.#db = db
  }

  /** Refuses calls of uncommon months while the project has not paid for earlier ones. */
  admit(calls: readonly CallFacts[]): void {
    const project_id = calls[0]?.project_id ?? ''
    const waitSeconds = this.#debtSeconds(project_id)
    if (waitSeconds === 0) return
    const common = commonMonths(Date.now())
    const isUncommon = (month: Month | undefined): boolean => month !== undefined && !common.has(month)
    if (calls.some((call) => isUncommon(monthOfCall(call)))) throw tooManyMonths(waitSeconds)
  }

  /** `factsOf` returns a call with its start. */
  split<Call>(calls: readonly Call[], factsOf: (call: Call) => CallFacts): SplitBatch<Call> {
    const common = commonMonths(Date.now())
    const shared: Call[] = []
    const sharedMonths = new Set<Month>(common)
    const uncommon = new Map<string, Map<Month, Call[]>>()
    for (const call of calls) {
      const facts = factsOf(call)
      const month = monthOfCall(facts) ?? 0
      if (common.has(month)) shared.push(call)
      else addTo(uncommon, facts.project_id, month, call)
    }
    const apart: ApartCalls<Call>[] = []
    for (const [project_id, months] of uncommon) {
      const isInDebt = this.#debtSeconds(project_id) > 0
      const others: (readonly Call[])[] = []
      for (const [month, own] of months) {
        const fits = sharedMonths.has(month) || sharedMonths.size < MAX_MONTHS_PER_INSERT
        if (isInDebt || !fits) others.push(own)
        else {
          sharedMonths.add(month)
          for (const call of own) shared.push(call)
        }
      }
      // One month is free: all requests with it share a part.
      this.#charge(project_id, months.size - 1)
      for (let i = 0; i < others.length; i += MAX_MONTHS_PER_INSERT) {
        const group = others.slice(i, i + MAX_MONTHS_PER_INSERT)
        apart.push({ project_id, months: group.length, calls: group.flat() })
      }
    }
    return { shared, apart }
  }

  /** Runs one insert beside the shared one, when it is the turn of the project. */
  async run<T>(project_id: string, months: number, insert: () => Promise<T>): Promise<T> {
    if (!this.#turns.tryAcquire(project_id, 1)) await this.#turns.wait(project_id, 1).granted
    try {
      await this.#checkParts(months)
      return await insert()
    } finally {
      this.#turns.release(project_id, 1)
    }
  }

  async #checkParts(months: number): Promise<void> {
    this.#uncheckedParts += months
    if (this.#uncheckedParts < PARTS_PER_CHECK) return
    const row = await this.#db.first<{ parts: string }>(selectParts, {
      name: 'parts of calls',
      kind: 'write',
    })
    if (Number(row?.parts) > MAX_STORED_PARTS)
      throw new ApiError(
        'rate_limited',
        'ClickHouse has not yet merged the calls of many different months; retry later, or send calls of fewer months',
        { retryAfterSeconds: 30 },
      )
    this.#uncheckedParts = 0
  }

  #debtSeconds(project_id: string): number {
    const waitMs = this.#debts.get(project_id)?.waitMs(1, performance.now()) ?? 0
    return Math.ceil(waitMs / 1000)
  }

  #charge(project_id: string, parts: number): void {
    if (parts <= 0) return
    const now = performance.now()
    const bucket = this.#debts.touch(project_id) ?? new TokenBucket(PARTS_PER_SECOND, BURST_SECONDS, now)
    bucket.take(parts, now)
    this.#debts.set(project_id, bucket)
  }
}

const selectParts: Sql = sql`SELECT count() AS parts FROM system.parts WHERE database = currentDatabase() AND table = 'calls' AND active`

function tooManyMonths(retryAfterSeconds: number): ApiError {
  return new ApiError(
    'rate_limited',
    'the project sends calls of many different months faster than they can be stored; retry later, or send calls ordered by their start',
    { retryAfterSeconds },
  )
}

function addTo<Call>(
  groups: Map<string, Map<Month, Call[]>>,
  project_id: string,
  month: Month,
  call: Call,
): void {
  const months = groups.get(project_id) ?? new Map<Month, Call[]>()
  groups.set(project_id, months)
  const known = months.get(month)
  if (known === undefined) months.set(month, [call])
  else known.push(call)
}
