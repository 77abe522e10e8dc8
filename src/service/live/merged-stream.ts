import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { type Arrival, IteratorMerge } from '../../core/concurrency/iterator-merge.ts'
import { type LiveCursor, readCursor, SHARD_SEPARATOR, writeCursor } from '../../core/live/live-cursor.ts'
import type { Micros } from '../../core/time/time.ts'
import type { LiveOptions } from './live-page.ts'
import type { EventBatch, EventBatches } from './live-subscriber.ts'
import { type ShardLog, type ShardRequest, ShardStream } from './shard-stream.ts'

/** How long the first event waits for shards that do not respond, once another one has. */
const START_WAIT_MS = 2_000

/**
 * The live stream of a client over the logs of several shards. Events of one shard keep their order, and so do those of one
 * call. The cursor of an event has a position for each shard: up to where this client has events of it. A shard that is
 * down delays its own events only; it is read on from its position when it is back.
 */
export class MergedStream implements EventBatches {
  readonly #shards: readonly ShardStream[]
  /** Cursors of shards that this node does not know (yet). */
  readonly #unknown: readonly string[]
  readonly #merge: IteratorMerge<EventBatch>
  readonly #follow: boolean
  readonly #options: Pick<LiveOptions, 'pollMs' | 'heartbeatMs'>
  readonly #onEnd: (stream: MergedStream) => void
  readonly #events = this.#run()
  #openShards: number
  #heartbeatAt = 0

  /** `cursors`: of each shard, or none for a stream that starts at the present. */
  constructor(
    logs: readonly ShardLog[],
    request: ShardRequest,
    cursors: readonly LiveCursor[],
    options: Pick<LiveOptions, 'pollMs' | 'heartbeatMs'>,
    onEnd: (stream: MergedStream) => void,
  ) {
    const given = cursors.map(writeCursor)
    // The client has no events of a shard that was added since. It starts at the earliest time of the others.
    const added = given.length === 0 ? undefined : atTime(cursors.map(({ at }) => at))
    this.#shards = logs.map(
      (log, index) => new ShardStream(log, request, given[index] ?? added, 4 * options.pollMs),
    )
    this.#unknown = given.slice(logs.length)
    this.#merge = new IteratorMerge(this.#shards)
    this.#follow = request.follow
    this.#options = options
    this.#onEnd = onEnd
    this.#openShards = logs.length
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<EventBatch, undefined>> {
    return this.#events.next()
  }

  return(): Promise<IteratorResult<EventBatch, undefined>> {
    this.end()
    return this.#events.return(undefined)
  }

  /** Ends the stream, also while it waits for events. */
  end(): void {
    this.#merge.end()
    for (const shard of this.#shards) shard.end()
    this.#onEnd(this)
  }

  async *#run(): AsyncGenerator<EventBatch, undefined> {
    try {
      yield await this.#start()
      for (;;) {
        const arrival = await this.#merge.take()
        const batch = arrival && this.#receive(arrival)
        if (batch === undefined) return undefined
        if (batch.length > 0) yield batch
      }
    } finally {
      this.end()
    }
  }

  /** Returns `ready` or `reset` once all shards have responded, or some of them and the others not in time. */
  async #start(): Promise<EventBatch> {
    const waiting = new Set(this.#shards.keys())
    const failures: unknown[] = []
    const started: LiveEvent[] = []
    let deadline: number | undefined
    for (const index of waiting) this.#merge.request(index)
    while (waiting.size > 0) {
      const arrival = await this.#merge.take(
        deadline === undefined ? undefined : deadline - performance.now(),
      )
      if (arrival === undefined) break
      waiting.delete(arrival.index)
      const { result } = arrival
      if (result.status === 'rejected') {
        if (!this.#follow || !(result.reason instanceof ApiError)) throw result.reason
        failures.push(result.reason)
        continue
      }
      const [first] = result.value.value ?? []
      if (first === undefined) continue
      started.push(first)
      if (this.#follow) deadline ??= performance.now() + START_WAIT_MS
      this.#shardAt(arrival.index).cursor = first.cursor
    }
    if (started.length === 0 && failures.length > 0) throw failures[0]
    if (started.length === 0) return []
    const now = atTime(started.map(({ cursor }) => readCursor(cursor).at))
    for (const [index, shard] of this.#shards.entries()) {
      shard.cursor ??= now
      shard.isPersistent = this.#follow
      if (!waiting.has(index)) this.#merge.request(index)
    }
    const first = started.find(({ kind }) => kind === 'reset') ?? { kind: 'ready' as const, cursor: '' }
    return [{ ...first, cursor: this.#cursor() }]
  }

  /** The events for the client; undefined at the end of the stream. */
  #receive({ index, result }: Arrival<EventBatch>): EventBatch | undefined {
    if (result.status === 'rejected') throw result.reason
    if (result.value.done === true) {
      // A followed log ends if the client is too slow or the server closes: the client resumes with its cursor.
      this.#openShards--
      return this.#follow || this.#openShards === 0 ? undefined : []
    }
    const events = result.value.value
    const last = events.at(-1)
    if (last !== undefined) this.#shardAt(index).cursor = last.cursor
    this.#merge.request(index)
    // `ready`: a shard that responds late, or again.
    if (last === undefined || last.kind === 'ready') return []
    if (last.kind === 'heartbeat' && !this.#isHeartbeatDue()) return []
    const [before, after] = this.#cursorsAround(index)
    return withShards(events, before, after)
  }

  /** Each shard sends heartbeats; the client needs one of them per interval. */
  #isHeartbeatDue(): boolean {
    const now = performance.now()
    if (now - this.#heartbeatAt < this.#options.heartbeatMs / 2) return false
    this.#heartbeatAt = now
    return true
  }

  #cursor(): string {
    return this.#cursors().join(SHARD_SEPARATOR)
  }

  /** The text of a cursor before and after the position of this shard. */
  #cursorsAround(index: number): [string, string] {
    const cursors = this.#cursors()
    const before = cursors.slice(0, index).map((cursor) => cursor + SHARD_SEPARATOR)
    const after = cursors.slice(index + 1).map((cursor) => SHARD_SEPARATOR + cursor)
    return [before.join(''), after.join('')]
  }

  #cursors(): string[] {
    return [...this.#shards.map(({ cursor = '' }) => cursor), ...this.#unknown]
  }

  #shardAt(index: number): ShardStream {
    const shard = this.#shards[index]
    if (shard === undefined) throw new Error(`there is no shard ${index}`)
    return shard
  }
}

/** The position of a shard without a known one: everything since the earliest of these times. */
function atTime(times: readonly Micros[]): string {
  const at = times.reduce((a, b) => (a < b ? a : b))
  return writeCursor({ at, block: 0, offset: 0, step: 0 })
}

/** Streams of one project get the same events with mostly the same positions of other shards, so they share them. */
const rewritten = new WeakMap<EventBatch, { before: string; after: string; events: EventBatch }>()

/** The events with positions of the other shards in their cursors. */
function withShards(events: EventBatch, before: string, after: string): EventBatch {
  const known = rewritten.get(events)
  if (known?.before === before && known.after === after) return known.events
  const own = events.map((event) => ({ ...event, cursor: before + event.cursor + after }))
  rewritten.set(events, { before, after, events: own })
  return own
}
