/** The connection to model providers, as the services see it. The implementation checks addresses (src/app/models). */
export interface ModelConnection {
  /** Throws `ModelError`, also for an address that may not be connected to. Statuses are returned, redirects are not followed. */
  send(request: ModelRequest): Promise<ModelResponse>
}

export interface ModelRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Ends the request: nobody waits for the response. */
  readonly signal: AbortSignal | undefined
}

export interface ModelResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** At most as many bytes as the limit; throws `ModelError` beyond it, after the time limit, and if the connection breaks. */
  readonly bytes: AsyncIterable<Buffer>
}

/** Nothing was sent. */
export function configurationError(message: string): ModelError {
  return new ModelError(message, { status: 400, isFree: true })
}

/** A failed request to a model. The message is for the caller. */
export class ModelError extends Error {
  readonly status: number
  /** Whether the provider certainly did no work, so that the request costs nothing. */
  readonly isFree: boolean

  constructor(message: string, { status = 502, isFree = false }: { status?: number; isFree?: boolean } = {}) {
    super(message)
    this.name = 'ModelError'
    this.status = status
    this.isFree = isFree
  }
}
