import { networkOf } from '../core/access/network.ts'
import { KeyedRate } from '../core/concurrency/keyed-rate.ts'
import { EventLoopYielder } from './event-loop-yield.ts'
import { MAX_UNAUTHENTICATED_PER_TICK, REJECTION_DELAY_MS, REJECTIONS_PER_ADDRESS } from './limits.ts'

/**
 * Bounds what callers without valid credentials can make this process do. Nobody is refused for the address of others:
 * clients with valid keys may share it, behind a proxy or a NAT.
 *
 * A request on a connection whose last request was not authenticated waits for its turn: a few begin per tick of the event
 * loop, round robin between addresses. A connection has one request at a time, so the connections of an address take
 * turns too. An address that had many requests rejected gets its next rejections after a delay.
 */
export class UnauthenticatedLimits {
  readonly #turns = new EventLoopYielder(MAX_UNAUTHENTICATED_PER_TICK)
  readonly #rejections = new KeyedRate(REJECTIONS_PER_ADDRESS)
  /** Sockets, or sessions of HTTP/2. */
  readonly #authenticated = new WeakSet<object>()

  /** Waits until a request may begin; undefined if it may now. `weight`: how much work it is, in small requests. */
  turn(connection: object, address: string, weight = 1): Promise<void> | undefined {
    return this.isAuthenticated(connection) ? undefined : this.#turns.acquire(weight, networkOf(address))
  }

  isAuthenticated(connection: object): boolean {
    return this.#authenticated.has(connection)
  }

  recordAuthenticated(connection: object): void {
    this.#authenticated.add(connection)
  }

  /** Returns after how many milliseconds the rejection may be sent. */
  recordRejected(connection: object, address: string): number {
    this.#authenticated.delete(connection)
    return this.#rejections.take(networkOf(address), 1, performance.now()) === 0 ? 0 : REJECTION_DELAY_MS
  }
}
