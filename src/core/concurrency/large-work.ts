/**
 * Thrown when a request turns out to be too large for the main thread, whose event loop serves everybody. It is then
 * executed again by the thread for large requests (src/http/large-requests.ts), where nothing throws this.
 */
export class LargeWork extends Error {
  constructor(what: string) {
    super(`${what} is too large for the main thread`)
  }
}
