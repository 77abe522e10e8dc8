import type { StartFact } from '../../../core/calls/call-facts.ts'
import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import { type CallKey, callKey } from './call-keys.ts'

/**
 * An in-memory cache of recently stored starts. Most ends arrive at the node of their start, seconds later. With the
 * cached start the complete row is written without reading from ClickHouse. The oldest starts are evicted first.
 */
export class RecentStarts {
  /** By call key; sizes are in bytes. */
  readonly #calls: BoundedMap<string, StartFact>

  constructor(capacityBytes: number) {
    this.#calls = new BoundedMap(capacityBytes)
  }

  remember(call: CallKey, start: StartFact): void {
    // Copies, because a slice would keep the buffer of the whole request alive.
    const body = Buffer.from(start.body)
    const name = start.name && Buffer.from(start.name)
    const bytes = body.length + (name?.length ?? 0) + 200
    this.#calls.set(callKey(call), { ...start, body, name }, bytes)
  }

  clear(): void {
    this.#calls.clear()
  }

  find(call: CallKey): StartFact | undefined {
    return this.#calls.get(callKey(call))
  }
}
