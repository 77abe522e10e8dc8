import type { PartialResult } from '../core/concurrency/partial-result.ts'
import { ReadSlot } from '../core/concurrency/read-slot.ts'
import type { RequestScope } from '../core/concurrency/request-scope.ts'
import type { ResultLimit } from '../core/concurrency/result-limit.ts'
import type { Caller } from '../service/deps.ts'
import type { BodyOptions } from './body.ts'
import type { MemoryLease } from './memory-budget.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook (pipeline/open-context.ts). */
    requestContext: RequestContext
  }
}

/** The caller of public operations, and of every request before its authentication. */
export const ANONYMOUS: Caller = { user_id: '', username: '' }

/** The state of one request, from its first hook to the end of its response. */
export class RequestContext implements RequestScope {
  readonly request_id: string
  readonly memoryLease: MemoryLease
  /** Name of the operation or page; `other` for unknown paths. */
  operation = 'other'
  caller = ANONYMOUS
  /** W3C Trace Context of the client. */
  traceparent: string | undefined
  userAgent: string | undefined
  /** In the thread for large requests: the caller that the main thread has authenticated. */
  forwardedCaller: Caller | undefined
  /** From Content-Length; undefined for a chunked body or none. */
  contentLength: number | undefined
  /** How the body is read; undefined if it is not. */
  body: BodyOptions | undefined
  /** Errors are sent as `google.rpc.Status` in protobuf. */
  sendsStatus = false
  /** The body as sent, once it is validated. */
  sentBody: Buffer | undefined
  /** Size of the body after decompression. */
  bodyBytes = 0
  /** The validated request. */
  input: unknown
  /** The first project that the request reads or writes. */
  project_id: string | undefined
  resultLimit: ResultLimit | undefined
  /** Undefined if the response must be complete. */
  partial: PartialResult | undefined
  /** Executed by the thread for large requests. */
  isLarge = false
  /** An event stream ends when the client disconnects, so a disconnect is not an error. */
  isEventStream = false
  /** The client disconnected before the response was complete. */
  isAborted = false
  #slot: ReadSlot | undefined
  #abortController: AbortController | undefined
  #onClose: (() => void) | undefined

  constructor(request_id: string, memoryLease: MemoryLease) {
    this.request_id = request_id
    this.memoryLease = memoryLease
  }

  get user_id(): string {
    return this.caller.user_id
  }

  /** The scope of a write: its reads are limited, but not cancelled when the client disconnects. */
  get writeScope(): RequestScope {
    const { request_id, user_id, project_id, slot } = this
    return { request_id, user_id, project_id, signal: undefined, slot }
  }

  /** Created on first use: an AbortController costs 50 µs per request, and writes need none. */
  get signal(): AbortSignal {
    this.#abortController ??= new AbortController()
    if (this.isAborted) this.#abortController.abort()
    return this.#abortController.signal
  }

  get slot(): ReadSlot {
    this.#slot ??= new ReadSlot()
    if (this.isAborted) this.#slot.close()
    return this.#slot
  }

  /** Gives the concurrency slot back before the response ends; it cannot be acquired again. */
  releaseSlot(): void {
    this.slot.close()
  }

  /** Runs a cleanup when the response ends; immediately if the client has already disconnected. */
  onClose(cleanup: () => void): void {
    if (this.isAborted) cleanup()
    else this.#onClose = cleanup
  }

  /** Releases what the request holds. */
  close(isComplete: boolean): void {
    this.memoryLease.release()
    this.#slot?.close()
    this.#onClose?.()
    if (isComplete) return
    this.isAborted = true
    this.#abortController?.abort()
  }
}
