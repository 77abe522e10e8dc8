import type { CallFacts } from '../../core/calls/call-facts.ts'
import { type CallKey, keyOf } from './call-keys.ts'

/**
 * Starts this node has stored a short while ago. Most ends arrive where their start did, seconds later: with the
 * start at hand the whole row is written without reading the store.
 */
export class RecentStarts {
  readonly #calls = new Map<string, { facts: CallFacts; bytes: number }>()
  readonly #capacityBytes: number
  #bytes = 0

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes
  }

  remember(facts: CallFacts): void {
    const key = keyOf(facts)
    this.#forget(key)
    const bytes = (facts.start?.body.length ?? 0) + 200
    // A slice would keep the whole request it was cut from alive.
    const start =
      facts.start === undefined ? undefined : { ...facts.start, body: Buffer.from(facts.start.body) }
    this.#calls.set(key, { facts: { ...facts, start }, bytes })
    this.#bytes += bytes
    for (const oldest of this.#calls.keys()) {
      if (this.#bytes <= this.#capacityBytes) break
      this.#forget(oldest)
    }
  }

  find(call: CallKey): CallFacts | undefined {
    return this.#calls.get(keyOf(call))?.facts
  }

  #forget(key: string): void {
    const known = this.#calls.get(key)
    if (known === undefined) return
    this.#calls.delete(key)
    this.#bytes -= known.bytes
  }
}
