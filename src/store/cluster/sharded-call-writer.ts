import type { CallFacts } from '../../core/calls/call-facts.ts'
import { RecordClock } from '../../core/calls/record-clock.ts'
import { ColumnExtractor } from '../calls/columns/column-extractor.ts'
import { callKey } from '../calls/write/call-keys.ts'
import { LargeCalls } from '../calls/write/large-calls.ts'
import type { WriteContext } from '../calls/write/write-context.ts'
import { type CallStore, CallWriter, type CallWriterOptions } from '../calls/write/writer.ts'
import type { Database } from '../database/database.ts'
import { CallPresences, type PlacedCall } from './call-presence.ts'
import { moveToFirstCandidate } from './move-calls.ts'

/**
 * Stores calls on their shards, each by a writer of its own. A request is acknowledged when all its shards have stored it.
 *
 * An id that existed before a shard was added may have several candidates. Records of a call that exists are stored on its
 * shard. Two nodes that store a new call at the same time may choose different shards, so both look at the other
 * candidates after their insert: at least one of them finds the call on two shards, and moves it (docs/decisions/0020).
 */
export class ShardedCallWriter implements CallStore {
  readonly clock: RecordClock
  readonly columns: ColumnExtractor
  readonly #db: Database
  readonly #writers: readonly CallWriter[]
  readonly #presences: CallPresences
  readonly #maxStoredRowBytes: number | undefined

  constructor(
    db: Database,
    options: Partial<CallWriterOptions> = {},
    { clock = new RecordClock(), columns = new ColumnExtractor() }: Partial<WriteContext> = {},
  ) {
    this.clock = clock
    this.columns = columns
    this.#db = db
    this.#writers = db.shards.map((shard) => new CallWriter(shard, options, this))
    this.#presences = new CallPresences(db)
    this.#maxStoredRowBytes = options.maxStoredRowBytes
  }

  get pendingBytes(): number {
    return this.#writers.reduce((sum, writer) => sum + writer.pendingBytes, 0)
  }

  forgetStarts(): void {
    for (const writer of this.#writers) writer.forgetStarts()
  }

  async write(calls: readonly CallFacts[]): Promise<void> {
    const byShard = new Map<number, CallFacts[]>()
    const placed = new Map<string, PlacedCall>()
    const severalCandidates: CallFacts[] = []
    for (const call of calls) {
      const candidates = this.#db.candidates(call.project_id, call.id)
      const [shard = 0, ...others] = candidates
      if (others.length === 0) add(byShard, shard, call)
      else {
        severalCandidates.push(call)
        placed.set(callKey(call), { project_id: call.project_id, id: call.id, candidates })
      }
    }
    await allStored([
      ...[...byShard].map(([shard, own]) => this.#writeTo(shard, own)),
      ...(severalCandidates.length === 0 ? [] : [this.#writeAndCheck(severalCandidates, placed)]),
    ])
  }

  async #writeTo(shard: number, calls: readonly CallFacts[]): Promise<void> {
    await this.#writers[shard]?.write(calls)
  }

  async #writeAndCheck(calls: readonly CallFacts[], placed: ReadonlyMap<string, PlacedCall>): Promise<void> {
    const homes = await this.#presences.findHomes([...placed.values()])
    // First, so that the new records are ordered after all stored ones.
    await this.#move([...placed].flatMap(([key, call]) => (homes.get(key)?.isSplit === true ? [call] : [])))
    const byShard = new Map<number, CallFacts[]>()
    for (const call of calls) {
      const home = homes.get(callKey(call))
      if (home !== undefined) add(byShard, home.shard, call)
    }
    await allStored(
      [...byShard].map(async ([shard, own]) => {
        await this.#writeTo(shard, own)
        await this.#checkOtherCandidates(shard, own, placed)
      }),
    )
  }

  /** These records are stored on this shard. Another node may have stored the call on another one in the meantime. */
  async #checkOtherCandidates(
    shard: number,
    calls: readonly CallFacts[],
    placed: ReadonlyMap<string, PlacedCall>,
  ): Promise<void> {
    const written = new Map(calls.flatMap((call) => entryOf(placed, callKey(call))))
    const homes = await this.#presences.findHomes([...written.values()], shard)
    const isSplit = (key: string): boolean => homes.get(key)?.isSplit === true
    await this.#move([...written].flatMap(([key, call]) => (isSplit(key) ? [call] : [])))
    // Again, because a row may have been hidden between its insert and the move by the move of another node.
    const again = new Map<number, CallFacts[]>()
    for (const call of calls) {
      const first = written.get(callKey(call))?.candidates[0]
      if (first !== undefined && first !== shard && isSplit(callKey(call))) add(again, first, call)
    }
    await allStored([...again].map(([first, own]) => this.#writeTo(first, own)))
  }

  async #move(calls: readonly PlacedCall[]): Promise<void> {
    if (calls.length === 0) return
    const limit = this.#maxStoredRowBytes
    const large = limit === undefined ? undefined : new LargeCalls(limit)
    await moveToFirstCandidate(this.#db, this, calls, large)
  }
}

function add<T>(groups: Map<number, T[]>, group: number, item: T): void {
  const items = groups.get(group)
  if (items === undefined) groups.set(group, [item])
  else items.push(item)
}

function entryOf<V>(map: ReadonlyMap<string, V>, key: string): [string, V][] {
  const value = map.get(key)
  return value === undefined ? [] : [[key, value]]
}

/** Waits for all, also if one fails: what the others insert must stay in memory until then. */
async function allStored(writes: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(writes)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
