import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '../core/json/write.ts'
import { STREAM_CHECK_MS } from './limits.ts'

/** Server-sent events: answers that go on until somebody leaves. */

/** What such an operation answers: the kind is the event's name, the cursor its id. */
export interface StreamEvent {
  readonly kind: string
  readonly cursor: string
}

/** `Last-Event-ID` is what a browser sends when it comes back, to the URL it was first given. */
export function eventQuery({ method, headers, query }: FastifyRequest): Record<string, unknown> {
  const last = headers['last-event-id']
  return {
    ...(query as Record<string, unknown>),
    ...(typeof last === 'string' && last !== '' ? { cursor: last } : {}),
    // There is no end of a stream to wait for when only its headers are asked for.
    ...(method === 'HEAD' ? { follow: 'false' } : {}),
  }
}

/** The first event is awaited here: what fails at once is answered with its status. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterator<StreamEvent>,
  mayGoOn: () => Promise<void>,
): Promise<FastifyReply> {
  const first = await events.next()
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      // Once it ends there is nothing to keep the connection for, and a server that stops would wait for it.
      .header('connection', 'close')
      .send(new EventStream(first, events, mayGoOn))
  )
}

class EventStream extends Readable {
  readonly #events: AsyncIterator<StreamEvent>
  readonly #check: NodeJS.Timeout
  #first: IteratorResult<StreamEvent> | undefined
  #isPulling = false
  #isOver = false

  constructor(
    first: IteratorResult<StreamEvent>,
    events: AsyncIterator<StreamEvent>,
    mayGoOn: () => Promise<void>,
  ) {
    super({ encoding: 'utf8' })
    this.#first = first
    this.#events = events
    // A right that is taken away ends the stream, as it would refuse the next request.
    this.#check = setInterval(() => void mayGoOn().catch(() => this.#end()), STREAM_CHECK_MS)
    this.#check.unref()
  }

  override _read(): void {
    if (!this.#isPulling) void this.#pull()
  }

  /** Until the socket has enough. */
  async #pull(): Promise<void> {
    this.#isPulling = true
    try {
      for (;;) {
        const next = this.#first ?? (await this.#events.next())
        this.#first = undefined
        if (this.destroyed || this.#isOver) return
        if (next.done === true) return this.#end()
        if (!this.push(frame(next.value))) return
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#isPulling = false
    }
  }

  #end(): void {
    clearInterval(this.#check)
    if (!this.destroyed && !this.#isOver) this.push(null)
    this.#isOver = true
    void this.#events.return?.()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#check)
    void this.#events.return?.()
    done(error)
  }
}

function frame(event: StreamEvent): string {
  // Without data nobody is told of it, but the id counts.
  if (event.kind === 'heartbeat') return `: heartbeat\nid: ${event.cursor}\n\n`
  return `event: ${event.kind}\nid: ${event.cursor}\ndata: ${writeJson(event)}\n\n`
}
