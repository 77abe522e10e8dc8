import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BatchedStream } from '../core/concurrency/batched-stream.ts'
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
  events: BatchedStream<StreamEvent>,
  recheck: () => Promise<void>,
): Promise<FastifyReply> {
  const batches = events.batches[Symbol.asyncIterator]()
  // The first batch may take as long as a heartbeat.
  context.onClose(() => void batches.return?.())
  const stream = new EventStream(await batches.next(), batches)
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

type Batch = readonly StreamEvent[]

class EventStream extends Readable {
  readonly #batches: AsyncIterator<Batch>
  #first: IteratorResult<Batch> | undefined
  #isPulling = false
  #isEnded = false

  constructor(first: IteratorResult<Batch>, batches: AsyncIterator<Batch>) {
    super()
    this.#first = first
    this.#batches = batches
  }

  override _read(): void {
    if (!this.#isPulling) void this.#pull()
  }

  /** Pushes events until the socket's buffer is full. */
  async #pull(): Promise<void> {
    this.#isPulling = true
    try {
      for (;;) {
        const next = this.#first ?? (await this.#batches.next())
        this.#first = undefined
        if (this.destroyed || this.#isEnded) return
        if (next.done === true) return this.finish()
        if (next.value.length > 0 && !this.push(encode(next.value))) return
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
    void this.#batches.return?.()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#batches.return?.()
    done(error)
  }
}

/** Streams of one project send the same batches, so each is encoded once for all of them. */
const encoded = new WeakMap<Batch, Buffer>()

function encode(batch: Batch): Buffer {
  const known = encoded.get(batch)
  if (known !== undefined) return known
  const bytes = Buffer.from(batch.map(frame).join(''))
  encoded.set(batch, bytes)
  return bytes
}

function frame(event: StreamEvent): string {
  // An event without data is not dispatched, but it updates the client's Last-Event-ID.
  if (event.kind === 'heartbeat') return `: heartbeat\nid: ${event.cursor}\n\n`
  return `event: ${event.kind}\nid: ${event.cursor}\ndata: ${writeJson(event)}\n\n`
}
