import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '../core/json/write.ts'
import { watchAccess } from './watch-access.ts'

/** Server-sent events: responses that last until the client disconnects. */

/** One event: `kind` becomes the SSE event name, `cursor` its id. */
export interface StreamEvent {
  readonly kind: string
  readonly cursor: string
}

/** Browsers reconnect to the original URL and send the header `Last-Event-ID`; it overrides `cursor`. */
export function eventQuery({ method, headers, query }: FastifyRequest): Record<string, unknown> {
  const last = headers['last-event-id']
  return {
    ...(query as Record<string, unknown>),
    ...(typeof last === 'string' && last !== '' ? { cursor: last } : {}),
    // HEAD asks for the headers only, so it must not wait for events.
    ...(method === 'HEAD' ? { follow: 'false' } : {}),
  }
}

/** Waits for the first event before sending headers, so an immediate failure gets its own status. */
export async function sendEvents(
  { requestContext: context }: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterator<StreamEvent>,
  recheck: () => Promise<void>,
): Promise<FastifyReply> {
  const stream = new EventStream(await events.next(), events)
  watchAccess(context, recheck, () => stream.finish())
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      // A kept-alive connection would delay the shutdown of the server.
      .header('connection', 'close')
      .send(stream)
  )
}

class EventStream extends Readable {
  readonly #events: AsyncIterator<StreamEvent>
  #first: IteratorResult<StreamEvent> | undefined
  #isPulling = false
  #isEnded = false

  constructor(first: IteratorResult<StreamEvent>, events: AsyncIterator<StreamEvent>) {
    super({ encoding: 'utf8' })
    this.#first = first
    this.#events = events
  }

  override _read(): void {
    if (!this.#isPulling) void this.#pull()
  }

  /** Pushes events until the socket's buffer is full. */
  async #pull(): Promise<void> {
    this.#isPulling = true
    try {
      for (;;) {
        const next = this.#first ?? (await this.#events.next())
        this.#first = undefined
        if (this.destroyed || this.#isEnded) return
        if (next.done === true) return this.finish()
        if (!this.push(frame(next.value))) return
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#isPulling = false
    }
  }

  finish(): void {
    if (!this.destroyed && !this.#isEnded) this.push(null)
    this.#isEnded = true
    void this.#events.return?.()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#events.return?.()
    done(error)
  }
}

function frame(event: StreamEvent): string {
  // An event without data is not dispatched, but it updates the client's Last-Event-ID.
  if (event.kind === 'heartbeat') return `: heartbeat\nid: ${event.cursor}\n\n`
  return `event: ${event.kind}\nid: ${event.cursor}\ndata: ${writeJson(event)}\n\n`
}
