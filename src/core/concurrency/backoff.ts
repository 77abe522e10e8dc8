/**
 * Exponential backoff with jitter, for every retry loop of server, CLI and UI. It has no I/O: callers sleep
 * themselves, so it also runs in browsers.
 */
export interface BackoffOptions {
  readonly firstMs: number
  readonly maxMs: number
  /**
   * The random fraction of each delay, from 0 (none, the default) to 1. Jitter keeps many clients or nodes from
   * retrying in step.
   */
  readonly jitter?: number
}

/** The delay after the given number of earlier failures: doubles from `firstMs` to `maxMs`. */
export function backoffMs(
  earlierFailures: number,
  { firstMs, maxMs, jitter = 0 }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const delayMs = Math.min(firstMs * 2 ** earlierFailures, maxMs)
  return jitter === 0 ? delayMs : delayMs * (1 - jitter * random())
}

/** The delays of one retry loop. */
export class Backoff {
  readonly #options: BackoffOptions
  #failures = 0

  constructor(options: BackoffOptions) {
    this.#options = options
  }

  /** The delay before the next attempt. Each call doubles the following one. */
  nextMs(): number {
    return backoffMs(this.#failures++, this.#options)
  }

  /** Starts again at `firstMs`, after a success. */
  reset(): void {
    this.#failures = 0
  }
}
