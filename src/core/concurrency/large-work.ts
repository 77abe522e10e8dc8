/**
 * Thrown when a request turns out to be too large for the main thread, whose event loop serves everybody. It is then
 * executed again by the thread for large requests (src/http/large-requests.ts), where nothing throws this.
 */
export class LargeWork extends Error {
  constructor(what: string) {
    super(`${what} is too large for the main thread`)
  }
}

/** Runs work, or something else instead if it turns out to be too large for the main thread. */
export function unlessLarge<T>(work: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (error instanceof LargeWork) return instead()
    throw error
  })
}
