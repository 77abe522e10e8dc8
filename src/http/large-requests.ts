import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { Backoff } from '../core/concurrency/backoff.ts'
import { LargeWork } from '../core/concurrency/large-work.ts'
import { ResultLimit } from '../core/concurrency/result-limit.ts'
import type { Caller } from '../service/deps.ts'
import { PartialBody } from './body.ts'
import { outcomeIn, recordOutcome } from './export-outcome.ts'
import { countIgnoredFields } from './ignored-fields.ts'
import { requireMarked } from './partial-response.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Large requests are executed by a server with the same routes in a thread of its own (src/app/large-request-thread.ts),
 * so that the main thread, whose event loop serves everybody, never works on one request for long. A request is large
 * by its body, by its number of records, or by what it reads; the last two are found out by trying (`LargeWork`).
 * docs/decisions/0015-large-requests.md has the reasons.
 */

const KIB = 1024

/** The largest bodies that the main thread reads: 10 to 30 ms of work. A batch of 100 calls of 3.4 KB is not large. */
export const MAX_CALLS_BODY_BYTES = 640 * KIB
/** Digests of objects and tables cost more per byte. */
const MAX_OTHER_BODY_BYTES = 128 * KIB
/** Compiling a query to SQL takes 0.1 ms per comparison. */
const MAX_QUERY_BODY_BYTES = 8 * KIB

/** The most items of an array in a body. */
const MAX_ITEMS = 500

/** The most bytes of rows that the main thread reads: for a document, or for one row of a stream. */
const MAX_RESULT_BYTES = 2048 * KIB

/** Options of the main thread's call writer: an end is joined with a stored start only if that is not large. */
export const MAIN_THREAD_WRITER = { maxStoredRowBytes: MAX_RESULT_BYTES }

/** A response that has begun can no longer fail, so what is missing is requested again. */
const RETRY_BACKOFF = { firstMs: 100, maxMs: 2_000 }
const RETRY_WINDOW_MS = 30_000

/** Names the authenticated caller to the thread. Only the main thread can connect to it. */
const CALLER_HEADER = 'x-heddle-caller'

export function forwardedCaller({ headers }: FastifyRequest): Caller | undefined {
  const text = headers[CALLER_HEADER]
  return typeof text === 'string'
    ? (JSON.parse(Buffer.from(text, 'base64url').toString()) as Caller)
    : undefined
}

function encodeCaller(caller: Caller): string {
  return Buffer.from(JSON.stringify(caller)).toString('base64url')
}

/** Headers that belong to one connection, or to one body. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

interface ForwardedRequest {
  readonly method: string | undefined
  readonly path: string
  /** Of the body; undefined if it is not known, or there is none. */
  readonly length: number | undefined
  readonly encoding?: string | undefined
}

interface PostedRequest {
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  /** Its caller has been authenticated. */
  readonly context: RequestContext
}

/**
 * Decides on the main thread what is large, and has the thread execute it. The thread itself has none of these, so nothing is
 * large there.
 */
export class LargeRequests {
  /** Items of an array in a body. */
  readonly maxItems = MAX_ITEMS
  /** Starts the thread on first use; returns the path of its socket. */
  readonly #socketPath: () => Promise<string>
  #forwards = 0

  constructor(socketPath: () => Promise<string>) {
    this.#socketPath = socketPath
  }

  /** Requests that the thread executes now, as far as this thread knows. */
  get forwards(): number {
    return this.#forwards
  }

  maxBodyBytes({ access, calls }: { access: Operation['access']; calls?: unknown }): number {
    if (access === 'read') return MAX_QUERY_BODY_BYTES
    return calls === undefined ? MAX_OTHER_BODY_BYTES : MAX_CALLS_BODY_BYTES
  }

  /** What one request may read from ClickHouse. */
  resultLimit(): ResultLimit {
    return new ResultLimit({
      maxBytes: MAX_RESULT_BYTES,
      maxRowBytes: MAX_RESULT_BYTES,
      exceeded: () => new LargeWork('the response'),
      isMainThread: true,
    })
  }

  /** Has the request executed by the thread, and sends its response. A partial body is sent on as it arrives. */
  async forward(
    incoming: FastifyRequest,
    reply: FastifyReply,
    body: Buffer | PartialBody | undefined,
  ): Promise<FastifyReply> {
    const { requestContext: context } = incoming
    context.isLarge = true
    // The thread marks its response itself.
    context.partial = undefined
    context.bodyBytes = Buffer.isBuffer(body) ? body.length : (context.contentLength ?? 0)
    const { method, url = '/' } = incoming.raw
    const length = Buffer.isBuffer(body) ? body.length : context.contentLength
    const encoding = incoming.raw.headers['content-encoding']
    const response = await this.#send(reply, { method, path: url, length, encoding }, (outgoing) => {
      if (!(body instanceof PartialBody)) return void outgoing.end(body)
      if (body.beginning.length > 0) outgoing.write(body.beginning)
      incoming.raw.pipe(outgoing)
    })
    context.ignoredFields = countIgnoredFields(response.headers)
    recordOutcome(context, outcomeIn(response.headers))
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined && !CONNECTION_HEADERS.has(name)) reply.header(name, value)
    const contentLength = response.headers['content-length']
    if (contentLength !== undefined) reply.header('content-length', contentLength)
    return reply.code(response.statusCode ?? 500).send(response)
  }

  /** The lines of a query of calls, on behalf of the caller of a request. They are a part of its response. */
  async *callLines(reply: FastifyReply, query: string): AsyncGenerator<Buffer> {
    const { path, method } = operations.calls_query_stream
    const length = Buffer.byteLength(query)
    for (const backoff = new Backoff(RETRY_BACKOFF), deadline = performance.now() + RETRY_WINDOW_MS; ;) {
      const response = await this.#send(reply, { method, path, length }, (outgoing) => outgoing.end(query))
      if (response.statusCode === 200) {
        requireMarked(response, reply)
        return yield* response as AsyncIterable<Buffer>
      }
      response.resume()
      if (performance.now() > deadline)
        throw new Error(`the thread for large requests returned ${response.statusCode}`)
      await sleep(backoff.nextMs())
    }
  }

  /** Has the thread execute a request that was not received by HTTP. */
  async post({ path, headers, body, context }: PostedRequest): Promise<{ status: number; body: Buffer }> {
    const socketPath = await this.#runningThread()
    const outgoing = request({
      method: 'POST',
      path,
      headers: { ...headers, [CALLER_HEADER]: encodeCaller(context.caller), 'content-length': body.length },
      socketPath,
      agent: false,
    })
    this.#endWith(context, outgoing)
    try {
      outgoing.end(body)
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      recordOutcome(context, outcomeIn(response.headers))
      const chunks: Buffer[] = await response.toArray()
      return { status: response.statusCode ?? 500, body: Buffer.concat(chunks) }
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** The forwarded request ends with the one that it is a part of, or before. */
  #endWith(context: RequestContext, outgoing: ClientRequest): void {
    this.#forwards++
    const forget = context.onClose(() => outgoing.destroy())
    outgoing.once('close', () => {
      this.#forwards--
      forget()
    })
  }

  async #runningThread(): Promise<string> {
    return this.#socketPath().catch((error: unknown) => {
      throw unavailable(error)
    })
  }

  async #send(
    reply: FastifyReply,
    { length, encoding, ...target }: ForwardedRequest,
    sendBody: (outgoing: ClientRequest) => void,
  ): Promise<IncomingMessage> {
    const socketPath = await this.#runningThread()
    const incoming = reply.request
    const headers: OutgoingHttpHeaders = {}
    for (const [name, value] of Object.entries(incoming.raw.headers))
      if (!CONNECTION_HEADERS.has(name)) headers[name] = value
    headers['x-request-id'] = incoming.id
    headers[CALLER_HEADER] = encodeCaller(incoming.requestContext.caller)
    if (length !== undefined) headers['content-length'] = length
    if (encoding !== undefined) headers['content-encoding'] = encoding
    // Otherwise the thread would close the connection after its response, which is lost if the body is not complete.
    headers['connection'] = 'keep-alive'
    const outgoing = request({ ...target, headers, socketPath, agent: false })
    this.#endWith(incoming.requestContext, outgoing)
    return new Promise((resolve, reject) => {
      // The thread may respond before it has received the whole body, for example with 413.
      const discardRest = (): unknown => incoming.raw.unpipe(outgoing).resume()
      outgoing.once('response', (response) => {
        discardRest()
        response.once('close', () => outgoing.destroy())
        resolve(response)
      })
      // An error after the response is one of its stream.
      outgoing.on('error', (error) => {
        discardRest()
        reject(unavailable(error))
      })
      sendBody(outgoing)
    })
  }
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'the thread for large requests is restarting; retry the request', {
    cause,
    retryAfterSeconds: 2,
  })
}
