import { Problem } from '../../contract/problem.ts'
import { type CallFacts, isNameOfStart, joinFacts, rowVersion } from '../../core/call-facts.ts'
import type { Database } from '../database.ts'
import { RowWriter } from '../row-binary.ts'
import { CALL_COLUMNS } from './columns.ts'
import { keyOf } from './keys.ts'
import { findKnown } from './known.ts'
import { RecentStarts } from './recent-starts.ts'
import { writeCallRow } from './rows.ts'
import { isSettled, isStored, settle } from './settle.ts'
import { readStoredCalls, type StoredCall } from './stored-facts.ts'

/**
 * The way in for calls. What arrives while the engine is busy goes into its next insert together, so many small
 * requests cost few inserts; each request is acknowledged when the insert that carries it has been.
 */
export interface CallWriterOptions {
  readonly maxRowsPerInsert: number
  readonly maxInsertsAtOnce: number
  /** Beyond this, callers are asked to come back: memory stays bounded whatever arrives. */
  readonly maxPendingBytes: number
  readonly recentStartsBytes: number
}

const CALL_WRITER_DEFAULTS: CallWriterOptions = {
  maxRowsPerInsert: 10_000,
  maxInsertsAtOnce: 2,
  maxPendingBytes: 256 * 1024 * 1024,
  recentStartsBytes: 64 * 1024 * 1024,
}

interface Submission {
  readonly calls: readonly CallFacts[]
  readonly bytes: number
  readonly stored: () => void
  readonly failed: (error: unknown) => void
}

/** A call on its way in, with the version of the start that was taken from elsewhere to complete it. */
interface Pending {
  facts: CallFacts
  joined: bigint[]
}

export class CallWriter {
  readonly #db: Database
  readonly #options: CallWriterOptions
  readonly #recent: RecentStarts
  #queue: Submission[] = []
  #pendingBytes = 0
  #running = 0

  constructor(db: Database, options: CallWriterOptions = CALL_WRITER_DEFAULTS) {
    this.#db = db
    this.#options = options
    this.#recent = new RecentStarts(options.recentStartsBytes)
  }

  /** Resolves when all of it is stored and readable. */
  async write(calls: readonly CallFacts[]): Promise<void> {
    if (calls.length === 0) return
    const bytes = calls.reduce((sum, call) => sum + bytesOf(call), 0)
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#options.maxPendingBytes) {
      throw new Problem(
        'rate_limited',
        'more is arriving than can be stored right now; send this again shortly',
        {
          retryAfterSeconds: 1,
        },
      )
    }
    this.#pendingBytes += bytes
    try {
      await new Promise<void>((stored, failed) => {
        this.#queue.push({ calls, bytes, stored, failed })
        this.#start()
      })
    } finally {
      this.#pendingBytes -= bytes
    }
  }

  #start(): void {
    while (this.#queue.length > 0 && this.#running < this.#options.maxInsertsAtOnce) {
      const taken = this.#take()
      this.#running++
      void this.#store(taken).finally(() => {
        this.#running--
        this.#start()
      })
    }
  }

  #take(): Submission[] {
    let rows = 0
    let n = 0
    while (n < this.#queue.length && (n === 0 || rows < this.#options.maxRowsPerInsert)) {
      rows += this.#queue[n]?.calls.length ?? 0
      n++
    }
    return this.#queue.splice(0, n)
  }

  async #store(submissions: readonly Submission[]): Promise<void> {
    try {
      await this.#storeCalls(submissions.flatMap((submission) => submission.calls))
      for (const submission of submissions) submission.stored()
    } catch (error) {
      for (const submission of submissions) submission.failed(error)
    }
  }

  async #storeCalls(calls: readonly CallFacts[]): Promise<void> {
    const pending = gather(calls)
    await this.#findStarts(pending)
    const straight: Pending[] = []
    const careful: CallFacts[] = []
    for (const call of pending.values()) {
      if (isPlain(call.facts)) straight.push(call)
      else careful.push(call.facts)
    }
    const contested = await this.#insertStraight(straight)
    await settle(this.#db, [...careful, ...contested])
  }

  /** Ends whose start did not come with them: from memory, else from the store. */
  async #findStarts(pending: Map<string, Pending>): Promise<void> {
    const unknown: Pending[] = []
    for (const call of pending.values()) {
      const { facts } = call
      if (facts.start !== undefined) {
        if (facts.end === undefined) this.#recent.remember(facts)
      } else if (facts.end !== undefined && facts.deletion === undefined) {
        const recent = this.#recent.find(facts)
        if (recent === undefined) unknown.push(call)
        else joinStart(call, recent)
      }
    }
    const stored = await readStoredCalls(
      this.#db,
      unknown.map((call) => call.facts),
    )
    for (const call of unknown) {
      const rows = stored.get(keyOf(call.facts)) ?? []
      const [only] = rows
      // A resend has nothing to add; anything but a single start that still runs is for settle.ts.
      if (isStored(rows, call.facts)) pending.delete(keyOf(call.facts))
      else if (rows.length === 1 && only !== undefined && isRunning(only)) joinStart(call, only.facts)
    }
  }

  /** Writes rows as they are, then looks whether anything else is known of their ids; returns what contradicts. */
  async #insertStraight(calls: readonly Pending[]): Promise<CallFacts[]> {
    if (calls.length === 0) return []
    const rows = new RowWriter(calls.reduce((sum, call) => sum + bytesOf(call.facts) + 256, 0))
    for (const call of calls) writeCallRow(rows, call.facts, 0n)
    await this.#db.insertBinary('calls', CALL_COLUMNS, [rows.take()])
    const byKey = new Map(calls.map((call) => [keyOf(call.facts), call]))
    const known = await findKnown(
      this.#db,
      calls.map((call) => call.facts),
      2,
    )
    const surprising = known.filter((found) => {
      const call = byKey.get(keyOf(found))
      if (call === undefined) return false
      const expected = new Set([rowVersion(call.facts, 0n), ...call.joined])
      return (
        found.hasParts || found.versions.some((version) => !expected.has(version)) || found.places.length > 1
      )
    })
    if (surprising.length === 0) return []
    const stored = await readStoredCalls(this.#db, surprising)
    return surprising.flatMap((found) => {
      const call = byKey.get(keyOf(found))
      if (call === undefined || isSettled(stored.get(keyOf(found)) ?? [], found)) return []
      return [call.facts]
    })
  }
}

/** Records of one call that arrived together are one call. */
function gather(calls: readonly CallFacts[]): Map<string, Pending> {
  const pending = new Map<string, Pending>()
  for (const facts of calls) {
    const key = keyOf(facts)
    const known = pending.get(key)
    if (known === undefined) {
      pending.set(key, { facts, joined: [] })
      continue
    }
    // A start that was stored alone before is no surprise next to the row that completes it.
    for (const part of [known.facts, facts]) {
      if (part.start !== undefined && part.end === undefined) known.joined.push(rowVersion(part, 0n))
    }
    known.facts = joinFacts(known.facts, facts)
  }
  return pending
}

/** Start, perhaps end, no change of mind: the row can be written as it is. */
function isPlain(facts: CallFacts): boolean {
  return (
    facts.start !== undefined &&
    facts.deletion === undefined &&
    (facts.name === undefined || isNameOfStart(facts.name))
  )
}

function isRunning(row: StoredCall): boolean {
  return row.rank === 0n && row.facts.end === undefined && !row.is_deleted
}

function joinStart(call: Pending, start: CallFacts): void {
  call.joined.push(rowVersion(start, 0n))
  call.facts = joinFacts(start, call.facts)
}

function bytesOf(call: CallFacts): number {
  return (call.start?.body.length ?? 0) + (call.end?.body.length ?? 0) + call.id.length + 200
}
