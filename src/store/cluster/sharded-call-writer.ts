import type { CallFacts } from '../../core/calls/call-facts.ts'
import { RecordClock } from '../../core/calls/record-clock.ts'
import type { RecordEncoder } from '../calls/record-encoder.ts'
import { type CallStore, CallWriter, type CallWriterOptions } from '../calls/writer.ts'
import type { Database } from '../database/database.ts'

/** Stores calls on their shards, each by a writer of its own. A request is acknowledged when all its shards have stored it. */
export class ShardedCallWriter implements CallStore {
  readonly clock = new RecordClock()
  readonly #db: Database
  readonly #writers: readonly CallWriter[]

  constructor(db: Database, options: Partial<CallWriterOptions> = {}) {
    this.#db = db
    this.#writers = db.shards.map((shard) => new CallWriter(shard, options, this.clock))
  }

  forgetStarts(): void {
    for (const writer of this.#writers) writer.forgetStarts()
  }

  async write(calls: readonly CallFacts[]): Promise<void> {
    const byShard = new Map<number, CallFacts[]>()
    for (const call of calls) {
      const shard = this.#db.shardOfNewCall(call.project_id, call.id)
      const own = byShard.get(shard)
      if (own === undefined) byShard.set(shard, [call])
      else own.push(call)
    }
    await allStored([...byShard].map(async ([shard, own]) => this.#writers[shard]?.write(own)))
  }

  /** As in `CallWriter`. */
  async writeEncoded(encoder: RecordEncoder, ...batches: readonly (readonly CallFacts[])[]): Promise<void> {
    const { uncertainInserts } = this.#db
    for (const calls of batches) await this.write(calls)
    if (this.#db.uncertainInserts === uncertainInserts) encoder.release()
  }
}

/** Waits for all, also if one fails: what the others insert must stay in memory until then. */
async function allStored(writes: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(writes)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
