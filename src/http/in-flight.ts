import { Problem } from '../contract/problem.ts'
import { OVERLOAD_RETRY_SECONDS } from './limits.ts'

/** Bytes of bodies held in memory, over all requests; beyond the limit new ones are sent away, unharmed. */
export class InFlight {
  readonly #limitBytes: number
  #bytes = 0
  #requests = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get requests(): number {
    return this.#requests
  }

  enter(): Share {
    this.#requests++
    let held = 0
    let left = false
    return {
      take: (bytes) => {
        if (left) return
        if (this.#bytes + bytes > this.#limitBytes) {
          throw new Problem('unavailable', 'the server is busy with other requests; send this again', {
            retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
          })
        }
        held += bytes
        this.#bytes += bytes
      },
      leave: () => {
        if (left) return
        left = true
        this.#requests--
        this.#bytes -= held
      },
    }
  }
}

/** What one request holds. */
export interface Share {
  /** Throws `unavailable` if all requests together would hold too much. */
  take(bytes: number): void
  leave(): void
}
