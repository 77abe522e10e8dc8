import type { PartialResult } from '../core/concurrency/partial-result.ts'
import { ReadSlot } from '../core/concurrency/read-slot.ts'
import type { RequestScope } from '../core/concurrency/request-scope.ts'
import type { ResultLimit } from '../core/concurrency/result-limit.ts'
import type { Caller } from '../service/deps.ts'
import type { BodyOptions } from './body.ts'
import type { ExportOutcome } from '../contract/operation.ts'
import type { MemoryBudget, MemoryLease } from './memory-budget.ts'
import type { Client, OpenRequests } from './open-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook (pipeline/open-context.ts). */
    requestContext: RequestContext
  }
}

/** The caller of public operations, and of every request before its authentication. */
export const ANONYMOUS: Caller = { user_id: '', username: '' }

/** Before its authentication, and for a public operation, a request has no user. */
export function isAnonymous({ caller }: RequestContext): boolean {
  return caller.user_id === ''
}

interface RequestContextOptions {
  readonly request_id: string
  readonly memoryBudget: MemoryBudget
  readonly openRequests: OpenRequests
  readonly client: Client
}

/**
 * The state of one request, from its first hook to the end of its response, and the only owner of what the request holds:
 * memory, slots, forwarded requests, streams. `close` releases all of it, once.
 */
export class RequestContext implements RequestScope {
  readonly request_id: string
  readonly memoryLease: MemoryLease
  readonly client: Client
  readonly startedMs = performance.now()
  /** When it was first seen that the client is gone. */
  disconnectedMs: number | undefined
  /** Name of the operation or page; `other` for unknown paths. */
  operation = 'other'
  caller = ANONYMOUS
  /** W3C Trace Context of the client. */
  traceparent: string | undefined
  userAgent: string | undefined
  /** Of the client; empty if unknown. */
  address = ''
  /** Of credentials that were refused. It may be anything, a secret too: only names of users are logged. */
  refusedUsername: string | undefined
  /** The username of a session that this request began. */
  signedIn: string | undefined
  /** Why the request was refused, for the log. `user`: whose name the refused credentials have. */
  refusal: { readonly reason: string; readonly user: string | undefined } | undefined
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
  /** Number of keys of the request that had no effect. */
  ignoredFields = 0
  /** What has become of an export of OpenTelemetry; undefined if it was stored where it should be. */
  exported: ExportOutcome | undefined
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
  #isClosed = false
  #cleanups: Set<() => void> | undefined
  readonly #openRequests: OpenRequests

  constructor({ request_id, memoryBudget, openRequests, client }: RequestContextOptions) {
    this.request_id = request_id
    this.memoryLease = memoryBudget.openLease()
    this.client = client
    this.#openRequests = openRequests
    openRequests.add(this)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get user_id(): string {
    return this.caller.user_id
  }

  /** The scope of a write: its reads are limited, but not cancelled when the client disconnects. */
  get writeScope(): RequestScope {
    const { request_id, user_id, project_id, slot } = this
    return { request_id, user_id, project_id, signal: undefined, disconnected: () => this.signal, slot }
  }

  /** Created on first use: an AbortController costs 50 µs per request, and writes need none. */
  get signal(): AbortSignal {
    this.#abortController ??= new AbortController()
    if (this.isAborted) this.#abortController.abort()
    return this.#abortController.signal
  }

  get slot(): ReadSlot {
    this.#slot ??= new ReadSlot()
    // A slot that is acquired now would never be released.
    if (this.#isClosed) this.#slot.close()
    return this.#slot
  }

  /** Gives the concurrency slot back before the response ends; it cannot be acquired again. */
  releaseSlot(): void {
    this.slot.close()
  }

  /** Runs a cleanup when the request ends, immediately if it has ended. Returns the function that forgets it. */
  onClose(cleanup: () => void): () => void {
    if (this.#isClosed) {
      cleanup()
      return () => {}
    }
    const cleanups = (this.#cleanups ??= new Set())
    cleanups.add(cleanup)
    return () => cleanups.delete(cleanup)
  }

  /** Releases what the request holds. Only the first call has an effect; it returns true. */
  close(isComplete: boolean): boolean {
    if (this.#isClosed) return false
    this.#isClosed = true
    this.isAborted = !isComplete
    this.#openRequests.delete(this)
    this.memoryLease.release()
    this.#slot?.close()
    if (!isComplete) this.#abortController?.abort()
    for (const cleanup of this.#cleanups ?? []) cleanup()
    return true
  }
}
