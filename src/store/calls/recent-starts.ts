import type { CallFacts } from '../../core/calls/call-facts.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { type CallKey, callKey } from './call-keys.ts'

/**
 * An in-memory cache of recently stored starts. Most ends arrive at the node of their start, seconds later. With the
 * cached start the complete row is written without reading from ClickHouse. The oldest starts are evicted first.
 */
export class RecentStarts {
  /** By call key; sizes are in bytes. */
  readonly #calls: BoundedMap<string, CallFacts>

  constructor(capacityBytes: number) {
    this.#calls = new BoundedMap(capacityBytes)
  }

  remember(facts: CallFacts): void {
    const bytes = (facts.start?.body.length ?? 0) + 200
    // A copy, because a slice would keep the buffer of the whole request alive.
    const start =
      facts.start === undefined ? undefined : { ...facts.start, body: Buffer.from(facts.start.body) }
    this.#calls.set(callKey(facts), { ...facts, start }, bytes)
  }

  find(call: CallKey): CallFacts | undefined {
    return this.#calls.get(callKey(call))
  }
}
