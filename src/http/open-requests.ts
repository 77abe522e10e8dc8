/** The state of the connection, or of the HTTP/2 stream, that brought a request. */
export interface Client {
  readonly isConnected: boolean
  /** The response has begun. */
  readonly isResponding: boolean
}

interface OpenRequest {
  readonly operation: string
  readonly client: Client
  readonly startedMs: number
  /** When it was first seen that the client is gone. */
  disconnectedMs: number | undefined
}

/** The requests in progress. Each is closed exactly once, whatever ends it; one that is not has leaked what it holds. */
export class OpenRequests {
  readonly #open = new Set<OpenRequest>()
  readonly #maxMs: number

  /** `maxMs`: longer than any request takes until its response begins. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  get count(): number {
    return this.#open.size
  }

  add(context: OpenRequest): void {
    this.#open.add(context)
  }

  delete(context: OpenRequest): void {
    this.#open.delete(context)
  }

  /**
   * Why this process should be restarted; undefined if nothing has leaked. No client can cause it: a response that is read
   * slowly, an export or a live stream may last for hours.
   */
  leakReason(nowMs = performance.now()): string | undefined {
    const leaked: OpenRequest[] = []
    for (const context of this.#open) {
      const { startedMs, client } = context
      if (!client.isConnected) context.disconnectedMs ??= nowMs
      const isOrphan = nowMs - (context.disconnectedMs ?? nowMs) > ORPHAN_MS
      if (isOrphan || (!client.isResponding && nowMs - startedMs > this.#maxMs)) leaked.push(context)
    }
    const [first] = leaked
    if (first === undefined) return undefined
    const names = [...new Set(leaked.map(({ operation }) => operation))].slice(0, 3).join(', ')
    return `${leaked.length} requests have ended or take too long and still hold memory or slots (${names}); restart this server and report it`
  }
}

/** A request whose connection is closed ends in the same moment. */
const ORPHAN_MS = 10_000
