import type { Readable } from 'node:stream'
import { ApiError } from '../contract/api-error.ts'
import type { BodyPool } from './body-pool.ts'
import { ByteCollector } from './byte-collector.ts'
import { MIN_BODY_BYTES_PER_SECOND, SLOW_BODY_GRACE_MS } from './limits.ts'
import type { MemoryLease } from './memory-budget.ts'

/** Reads request bodies within the size limit, the memory budget and a minimum speed. */
export interface BodyOptions {
  /** From Content-Length; undefined for `Transfer-Encoding: chunked`. */
  readonly contentLength: number | undefined
  readonly limitBytes: number
  /** Undefined if the limit is so low that the body need not be counted. */
  readonly lease: MemoryLease | undefined
  /** If the body is longer, reading stops, for the rest to be forwarded as it arrives. */
  readonly maxBufferedBytes?: number | undefined
  /** Memory for the body, if the operation gives it back. */
  readonly pool?: BodyPool | undefined
}

/** The beginning of a body. Its stream is paused and has the rest. */
export class PartialBody {
  readonly beginning: Buffer

  constructor(beginning: Buffer) {
    this.beginning = beginning
  }
}

/** Returns the body as sent. */
export function readBody(stream: Readable, options: BodyOptions): Promise<Buffer | PartialBody> {
  return new BodyReader(stream, options).read()
}

export function rejectIfTooLarge(contentLength: number | undefined, limitBytes: number): void {
  if (contentLength !== undefined && contentLength > limitBytes) throw tooLarge(limitBytes)
}

/** A timer that runs later than this means that the process was stopped, or was starved of CPU. */
const MAX_LATE_MS = 1_000

/**
 * Uses event listeners, because an async iterator takes as long as the rest of a small request. After a failure the rest
 * of the body is discarded as it arrives: many clients read the response only when they have sent everything.
 */
class BodyReader {
  readonly #stream: Readable
  readonly #options: BodyOptions
  readonly #bytes: ByteCollector
  #resolve: (body: Buffer | PartialBody) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  /** When the client began to send; later if we made it wait. */
  #startedMs = performance.now()
  #timer: NodeJS.Timeout | undefined
  /** When the timer should run. */
  #dueMs = 0

  constructor(stream: Readable, options: BodyOptions) {
    this.#stream = stream
    this.#options = options
    this.#bytes = new ByteCollector(options.contentLength ?? options.limitBytes, options.pool)
  }

  read(): Promise<Buffer | PartialBody> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#stream.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError)
      this.#stream.on('close', this.#onClose)
      this.#options.lease?.onRevoked((error) => this.#fail(error))
      this.#checkSpeedIn(SLOW_BODY_GRACE_MS)
      // The client may have disconnected while the request waited for memory.
      if (this.#stream.destroyed) this.#onClose()
    })
  }

  readonly #onData = (chunk: Buffer): void => {
    const { limitBytes, maxBufferedBytes = Number.POSITIVE_INFINITY, lease } = this.#options
    const length = this.#bytes.length + chunk.length
    if (length > limitBytes) return this.#fail(tooLarge(limitBytes))
    this.#bytes.add(chunk)
    if (length > maxBufferedBytes) {
      this.#stop()
      this.#stream.pause()
      this.#resolve(new PartialBody(this.#bytes.take()))
    } else this.#waitFor(lease?.reserve(length))
  }

  /** Node reads no more than Content-Length. */
  readonly #onEnd = (): void => {
    const { length } = this.#bytes
    const { contentLength = length, lease } = this.#options
    if (contentLength !== length) return this.#fail(lengthMismatch())
    lease?.complete()
    this.#stop()
    this.#resolve(this.#bytes.take())
  }

  readonly #onError = (error: unknown): void => this.#fail(incompleteBody(error))

  readonly #onClose = (): void => this.#fail(incompleteBody(new Error('the connection was closed')))

  /** Reads nothing until the memory is granted. */
  #waitFor(memory: Promise<void> | undefined): void {
    if (memory === undefined) return
    const sinceMs = performance.now()
    this.#stream.pause()
    const goOn = (): void => {
      this.#startedMs += performance.now() - sinceMs
      this.#stream.resume()
    }
    memory.then(goOn, (error: unknown) => this.#fail(error))
  }

  #checkSpeedIn(ms: number): void {
    this.#dueMs = performance.now() + ms
    this.#timer = setTimeout(this.#checkSpeed, ms)
  }

  /** A client that sends almost nothing must not hold memory until the timeout of the request. */
  readonly #checkSpeed = (): void => {
    // This process did not run, so what the client has sent in the meantime is not read yet.
    if (performance.now() - this.#dueMs > MAX_LATE_MS) this.#startedMs = performance.now()
    const expectedMs = SLOW_BODY_GRACE_MS + (this.#bytes.length / MIN_BODY_BYTES_PER_SECOND) * 1000
    const remainingMs = this.#startedMs + expectedMs - performance.now()
    if (remainingMs <= 0 && !this.#stream.isPaused()) this.#fail(tooSlow())
    else this.#checkSpeedIn(Math.max(remainingMs, 100))
  }

  #fail(error: unknown): void {
    this.#stop()
    // Without a listener, a stream that is not paused discards its data.
    this.#stream.on('error', () => {}).resume()
    this.#reject(error)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#stream.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError)
    this.#stream.off('close', this.#onClose)
  }
}

function incompleteBody(cause: unknown): ApiError {
  return new ApiError('invalid_request', 'the connection was closed before the whole body arrived', { cause })
}

function lengthMismatch(): ApiError {
  return new ApiError('invalid_request', 'the length of the body does not match Content-Length')
}

function tooSlow(): ApiError {
  const speed = `${MIN_BODY_BYTES_PER_SECOND / 1024} KiB per second`
  return new ApiError('unavailable', `the body arrived at less than ${speed}; send it again`)
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError(
    'too_large',
    `the body is larger than ${limitBytes} bytes, the limit of this operation; send less at a time`,
  )
}
