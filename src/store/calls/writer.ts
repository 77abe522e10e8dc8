import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { type CallFacts, isNameOfStart, joinFacts, rowVersion } from '../../core/calls/call-facts.ts'
import { FairQueue } from '../../core/concurrency/fair-queue.ts'
import { insertDelayMs } from '../../core/concurrency/insert-delay.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { CALL_COLUMNS } from './call-columns.ts'
import { callKey } from './call-keys.ts'
import { findKnown } from './known-calls.ts'
import { RecentStarts } from './recent-starts.ts'
import { writeCallRow } from './call-rows.ts'
import { isReconciled, isStored, reconcile } from './reconcile.ts'
import { readStoredCalls, type StoredCall } from './stored-facts.ts'

/**
 * The way in for calls. What arrives while the engine is busy goes into its next insert together, so many small
 * requests cost few inserts; each request is acknowledged when the insert that carries it has been. Projects take
 * turns: one that floods waits behind itself.
 */
export interface CallWriterOptions {
  readonly maxRowsPerInsert: number
  readonly maxBytesPerInsert: number
  readonly maxConcurrentInserts: number
  /** Inserts that are stored and being compared with what else is known; the next may begin meanwhile. */
  readonly maxConcurrentConflictChecks: number
  /** Beyond this, callers are asked to come back: memory stays bounded whatever arrives. */
  readonly maxPendingBytes: number
  readonly recentStartsBytes: number
}

const CALL_WRITER_DEFAULTS: CallWriterOptions = {
  maxRowsPerInsert: 10_000,
  maxBytesPerInsert: 32 * 1024 * 1024,
  maxConcurrentInserts: 2,
  maxConcurrentConflictChecks: 2,
  maxPendingBytes: 256 * 1024 * 1024,
  recentStartsBytes: 64 * 1024 * 1024,
}

/** Of one project's turn while several wait: a few requests of 100 calls. */
const FAIR_SHARE_BYTES = 2 * 1024 * 1024

/** So long may a request wait for its insert to begin while the engine is away, before it is held once more. */
const MAX_QUEUE_WAIT_MS = 5_000

interface Submission {
  readonly sinceMs: number
  readonly calls: readonly CallFacts[]
  readonly bytes: number
  readonly stored: () => void
  readonly failed: (error: unknown) => void
}

/** A call on its way in, with the version of the start that was taken from elsewhere to complete it. */
interface PendingCall {
  facts: CallFacts
  joinedVersions: readonly bigint[]
}

const NO_VERSIONS: readonly bigint[] = []

export class CallWriter {
  readonly #db: Database
  readonly #options: CallWriterOptions
  readonly #recent: RecentStarts
  readonly #queue = new FairQueue<Submission>(FAIR_SHARE_BYTES)
  #queuedRows = 0
  #pendingBytes = 0
  #inserts = 0
  #conflictChecks = 0
  #lastStartedMs = Number.NEGATIVE_INFINITY
  #alarm: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined

  constructor(db: Database, options: CallWriterOptions = CALL_WRITER_DEFAULTS) {
    this.#db = db
    this.#options = options
    this.#recent = new RecentStarts(options.recentStartsBytes)
  }

  /** Resolves when all of it is stored and readable. */
  async write(calls: readonly CallFacts[]): Promise<void> {
    if (calls.length === 0) return
    const bytes = calls.reduce((sum, call) => sum + callBytes(call), 0)
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#options.maxPendingBytes) {
      throw new ApiError(
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
        const submission = { sinceMs: performance.now(), calls, bytes, stored, failed }
        this.#enqueue(submission)
        this.#pump()
      })
    } finally {
      this.#pendingBytes -= bytes
    }
  }

  /** Begins as many inserts as it is time for, and comes back when it is time for the next. */
  #pump(): void {
    while (this.#queue.size > 0 && this.#hasCapacity()) {
      const now = performance.now()
      const wait = insertDelayMs({
        requests: this.#queue.size,
        rows: this.#queuedRows,
        bytes: this.#queue.bytes,
        sinceLastMs: now - this.#lastStartedMs,
        running: this.#inserts,
      })
      if (wait > 0) {
        // The end of the one that is under way pumps too.
        if (Number.isFinite(wait)) this.#pumpIn(wait)
        return
      }
      this.#lastStartedMs = now
      this.#startInsert()
    }
  }

  /** What arrives meanwhile may make it sooner. */
  #pumpIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#alarm !== undefined && this.#alarm.at <= at) return
    clearTimeout(this.#alarm?.timer)
    const timer = setTimeout(() => {
      this.#alarm = undefined
      this.#pump()
    }, ms)
    this.#alarm = { at, timer }
  }

  #hasCapacity(): boolean {
    const { maxConcurrentInserts, maxConcurrentConflictChecks } = this.#options
    return this.#inserts < maxConcurrentInserts && this.#conflictChecks < maxConcurrentConflictChecks
  }

  #startInsert(): void {
    const taken = this.#take(this.#options.maxRowsPerInsert, this.#options.maxBytesPerInsert)
    this.#inserts++
    let isInserted = false
    const inserted = (): void => {
      if (isInserted) return
      isInserted = true
      this.#inserts--
      this.#conflictChecks++
      this.#pump()
    }
    void this.#store(taken, inserted).finally(() => {
      inserted()
      this.#conflictChecks--
      this.#pump()
    })
  }

  /** `inserted` is called when the engine is done with the insert, if there was one: the next need not wait for the look. */
  async #store(submissions: readonly Submission[], inserted: () => void): Promise<void> {
    const open = new Set(submissions)
    const acknowledge = (submission: Submission): void => {
      open.delete(submission)
      submission.stored()
    }
    try {
      const pending = gatherByCall(submissions.flatMap((submission) => submission.calls))
      await this.#findStarts(pending)
      const straight: PendingCall[] = []
      const careful: CallFacts[] = []
      for (const call of pending.values()) {
        if (isFastPath(call.facts)) straight.push(call)
        else careful.push(call.facts)
      }
      const left = [...careful, ...(await this.#insertFastPath(straight, inserted))]
      // Whoever sent nothing that needs care does not wait for those who did.
      const leftKeys = new Set(left.map(callKey))
      const isDone = ({ calls }: Submission): boolean =>
        leftKeys.size === 0 || calls.every((call) => !leftKeys.has(callKey(call)))
      submissions.filter(isDone).forEach(acknowledge)
      await reconcile(this.#db, left)
      submissions.filter((submission) => open.has(submission)).forEach(acknowledge)
    } catch (error) {
      await this.#fail([...open], error, inserted)
    }
  }

  /** What the engine refuses for good is refused to whoever sent it, not to those whose calls went along. */
  async #fail(submissions: readonly Submission[], error: unknown, inserted: () => void): Promise<void> {
    const isForAll = error instanceof ApiError && error.retryAfterSeconds !== undefined
    if (isForAll) this.#failQueued(error)
    if (isForAll || submissions.length === 1) for (const submission of submissions) submission.failed(error)
    else for (const submission of submissions) await this.#store([submission], inserted)
  }

  /** The engine is away: whoever has waited behind those that were held does not wait as long once more. */
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

  /** Ends whose start did not come with them: from memory, else from the store. */
  async #findStarts(pending: Map<string, PendingCall>): Promise<void> {
    const unknown: PendingCall[] = []
    for (const call of pending.values()) {
      const { facts } = call
      if (facts.isComplete === true) continue
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
      const rows = stored.get(callKey(call.facts)) ?? []
      const [only] = rows
      // A resend has nothing to add; anything but a single start that still runs is for settle.ts.
      if (isStored(rows, call.facts)) pending.delete(callKey(call.facts))
      else if (rows.length === 1 && only !== undefined && isRunning(only)) joinStart(call, only.facts)
    }
  }

  /** Writes rows as they are, then looks whether anything else is known of their ids; returns what contradicts. */
  async #insertFastPath(calls: readonly PendingCall[], inserted: () => void): Promise<CallFacts[]> {
    if (calls.length === 0) return []
    await this.#db.insertBinary('calls', CALL_COLUMNS, await encodeRows(calls))
    inserted()
    const byKey = new Map(calls.map((call) => [callKey(call.facts), call]))
    const known = await findKnown(
      this.#db,
      calls.map((call) => call.facts),
      2,
    )
    const surprising = known.filter((found) => {
      const call = byKey.get(callKey(found))
      if (call === undefined) return false
      const expected = new Set([rowVersion(call.facts, 0n), ...call.joinedVersions])
      return (
        found.hasParts ||
        found.versions.some((version) => !expected.has(version)) ||
        found.locations.length > 1
      )
    })
    if (surprising.length === 0) return []
    const stored = await readStoredCalls(this.#db, surprising)
    return surprising.flatMap((found) => {
      const call = byKey.get(callKey(found))
      if (call === undefined || isReconciled(stored.get(callKey(found)) ?? [], found)) return []
      return [call.facts]
    })
  }
}

/** Rows built without a pause take 6 µs each; so many may stand still a request that only wants to be read. */
const ROWS_PER_SLICE = 1_000

/** Most rows are ready where their request was read; rows side by side go as one piece. */
async function encodeRows(calls: readonly PendingCall[]): Promise<Buffer[]> {
  const pieces = new BufferChunks()
  const writer = new RowWriter(64 * 1024)
  let built = 0
  for (const { facts } of calls) {
    const { row } = facts
    if (row !== undefined) {
      pieces.add(row)
      continue
    }
    writeCallRow(writer, facts, 0n)
    pieces.add(writer.take())
    if (++built % ROWS_PER_SLICE === 0) await setImmediate()
  }
  return pieces.end()
}

class BufferChunks {
  readonly #pieces: Buffer[] = []
  #memory: ArrayBufferLike | undefined
  #from = 0
  #to = 0

  add(piece: Buffer): void {
    if (piece.buffer !== this.#memory || piece.byteOffset !== this.#to) {
      this.#endPiece()
      this.#memory = piece.buffer
      this.#from = piece.byteOffset
    }
    this.#to = piece.byteOffset + piece.length
  }

  end(): Buffer[] {
    this.#endPiece()
    return this.#pieces
  }

  #endPiece(): void {
    if (this.#memory !== undefined) {
      this.#pieces.push(Buffer.from(this.#memory as ArrayBuffer, this.#from, this.#to - this.#from))
    }
  }
}

/** Records of one call that arrived together are one call. */
function gatherByCall(calls: readonly CallFacts[]): Map<string, PendingCall> {
  const pending = new Map<string, PendingCall>()
  for (const facts of calls) {
    const key = callKey(facts)
    const known = pending.get(key)
    if (known === undefined) {
      pending.set(key, { facts, joinedVersions: NO_VERSIONS })
      continue
    }
    // A start that was stored alone before is no surprise next to the row that completes it.
    const starts = [known.facts, facts].filter((part) => part.start !== undefined && part.end === undefined)
    known.joinedVersions = [...known.joinedVersions, ...starts.map((part) => rowVersion(part, 0n))]
    known.facts = joinFacts(known.facts, facts)
  }
  return pending
}

/** Start, perhaps end, no change of mind: the row can be written as it is. */
function isFastPath(facts: CallFacts): boolean {
  if (facts.isComplete === true) return true
  return (
    facts.start !== undefined &&
    facts.deletion === undefined &&
    (facts.name === undefined || isNameOfStart(facts.name))
  )
}

function isRunning(row: StoredCall): boolean {
  return row.rank === 0n && row.facts.end === undefined && !row.is_deleted
}

function joinStart(call: PendingCall, start: CallFacts): void {
  call.joinedVersions = [...call.joinedVersions, rowVersion(start, 0n)]
  call.facts = joinFacts(start, call.facts)
}

function callBytes(call: CallFacts): number {
  if (call.rowBytes !== undefined) return call.rowBytes
  return (call.start?.body.length ?? 0) + (call.end?.body.length ?? 0) + call.id.length + 200
}
