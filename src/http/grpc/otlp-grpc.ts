import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import grpc from '@grpc/grpc-js'
import { ApiError } from '../../contract/api-error.ts'
import { OTLP_PROTOBUF } from '../../contract/otlp.ts'
import { encodeProjectHeader, PROJECT_HEADER } from '../../contract/project-header.ts'
import { operations } from '../../contract/operations.ts'
import { unlessLarge } from '../../core/concurrency/large-work.ts'
import type { Handlers } from '../../service/handler.ts'
import { asApiError, retryAfterSeconds } from '../error-responses.ts'
import { eventLoopYielder } from '../event-loop-yield.ts'
import { recordOutcome } from '../export-outcome.ts'
import type { LargeRequests } from '../large-requests.ts'
import { REQUEST_TIMEOUT_MS } from '../limits.ts'
import type { MemoryBudget } from '../memory-budget.ts'
import { projectHeader } from '../otlp-request.ts'
import { decodeStatus, encodeStatus, grpcCode } from '../otlp-status.ts'
import { authorizationIn, usernameIn } from '../pipeline/authenticate.ts'
import type { PipelineOptions } from '../pipeline/endpoint.ts'
import { CLIENT_CLOSED_REQUEST } from '../pipeline/open-context.ts'
import type { Client, OpenRequests } from '../open-requests.ts'
import { isAnonymous, RequestContext } from '../request-context.ts'
import { requestId } from '../request-id.ts'
import { countReceivedBytes } from './received-bytes.ts'
import { acceptSessions, SESSION_OPTIONS } from './sessions.ts'

/** OTLP/gRPC: the same exports as OTLP/HTTP, with the same limits, on a port of its own. */
export interface OtlpGrpcOptions extends PipelineOptions {
  readonly handlers: Pick<Handlers, ExportName>
  readonly memoryBudget: MemoryBudget
  readonly openRequests: OpenRequests
  /** Counts and logs a finished request. */
  readonly recordRequest: (context: RequestContext, status: number, durationMs: number) => void
  /** Counts and logs a failed one. */
  readonly recordError: (error: ApiError, context: RequestContext) => void
}

type ExportName = 'otlp_traces' | 'otlp_logs' | 'otlp_metrics'

const SERVICES: Readonly<Record<ExportName, string>> = {
  otlp_traces: 'opentelemetry.proto.collector.trace.v1.TraceService',
  otlp_logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
  otlp_metrics: 'opentelemetry.proto.collector.metrics.v1.MetricsService',
}

const EXPORT_NAMES = Object.keys(SERVICES) as ExportName[]

/** Longer messages do not fit into the headers that clients accept. */
const MAX_DETAILS_CHARACTERS = 1_000

// grpc-js would write to standard error.
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

export class OtlpGrpcServer {
  readonly #options: OtlpGrpcOptions
  readonly #server: grpc.Server
  readonly #listener: Server
  /** Of calls that were admitted and whose message has not arrived yet. */
  readonly #calls = new WeakMap<grpc.Metadata, GrpcCall>()

  constructor(options: OtlpGrpcOptions) {
    this.#options = options
    this.#server = new grpc.Server({
      ...SESSION_OPTIONS,
      'grpc.max_receive_message_length': options.bodyLimitBytes,
      interceptors: [(method, call) => this.#admit(method.path, call)],
    })
    for (const name of EXPORT_NAMES)
      this.#server.addService(
        { Export: exportMethod(name) },
        {
          Export: (call: grpc.ServerUnaryCall<Buffer, Buffer>, respond: grpc.sendUnaryData<Buffer>) => {
            void this.#calls.get(call.metadata)?.execute(call.request, respond)
          },
        },
      )
    this.#listener = acceptSessions(this.#server, options.unauthenticated)
  }

  /** Returns the URL for exporters. */
  async listen(host: string, port: number): Promise<string> {
    const listening = once(this.#listener, 'listening')
    this.#listener.listen(port, host)
    await listening
    const { port: bound } = this.#listener.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  }

  /** Stops listening and waits for requests in progress. */
  async close(): Promise<void> {
    this.#listener.close()
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()))
  }

  /** Authenticates the caller and reserves memory before any of the message is read. */
  #admit(path: string, call: grpc.ServerInterceptingCallInterface): grpc.ServerInterceptingCall {
    // An unknown method is refused later.
    const name = EXPORT_NAMES.find((each) => path === exportPath(each)) ?? 'otlp_traces'
    return new grpc.ServerInterceptingCall(call, {
      start: (next) => {
        let grpcCall: GrpcCall | undefined
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            const received = new GrpcCall(name, metadata, call, this.#options)
            grpcCall = received
            this.#calls.set(metadata, received)
            received.admit().then(
              () => nextMetadata(metadata),
              (error: unknown) => received.reject(error),
            )
          },
          // Also called at the end of a call that has succeeded.
          onCancel: () => grpcCall?.finish(CLIENT_CLOSED_REQUEST),
        })
      },
    })
  }
}

function exportPath(name: ExportName): string {
  return `/${SERVICES[name]}/Export`
}

function exportMethod(name: ExportName): grpc.MethodDefinition<Buffer, Buffer> {
  const asBytes = (bytes: Buffer): Buffer => bytes
  return {
    path: exportPath(name),
    requestStream: false,
    responseStream: false,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  }
}

/** One export. */
class GrpcCall {
  readonly #name: ExportName
  readonly #headers: IncomingHttpHeaders
  readonly #call: grpc.ServerInterceptingCallInterface
  readonly #options: OtlpGrpcOptions
  readonly #context: RequestContext
  readonly #stream: ServerHttp2Stream | undefined
  readonly #session: object
  readonly #address: string
  readonly #timer: NodeJS.Timeout

  constructor(
    name: ExportName,
    metadata: grpc.Metadata,
    call: grpc.ServerInterceptingCallInterface,
    options: OtlpGrpcOptions,
  ) {
    this.#name = name
    // Bytes have names that end in `-bin`; none is read.
    this.#headers = metadata.getMap() as IncomingHttpHeaders
    this.#call = call
    this.#options = options
    this.#stream = (call as { readonly stream?: ServerHttp2Stream }).stream
    this.#session = this.#stream?.session ?? call
    this.#address = call.getConnectionInfo().remoteAddress ?? ''
    this.#context = new RequestContext({
      request_id: requestId(this.#headers['x-request-id']),
      memoryBudget: options.memoryBudget,
      openRequests: options.openRequests,
      client: new GrpcClient(this.#stream),
    })
    this.#context.operation = `${name}_grpc`
    this.#context.address = this.#address
    this.#timer = setTimeout(() => this.fail(tooSlow()), REQUEST_TIMEOUT_MS)
  }

  async admit(): Promise<void> {
    const { access, quotas, bodyLimitBytes, unauthenticated } = this.#options
    const { memoryLease: lease } = this.#context
    await unauthenticated.turn(this.#session, this.#address)
    const caller = await access.authenticate(authorizationIn(this.#headers), this.#address)
    this.#context.caller = caller
    unauthenticated.recordAuthenticated(this.#session)
    await quotas.admitBytes(caller, 0)
    await lease.open(caller.user_id)
    countReceivedBytes(this.#call, {
      lease,
      caller: caller.user_id,
      limitBytes: bodyLimitBytes,
      fail: (error) => this.fail(error),
    })
  }

  /** Ends a call that was not admitted. */
  reject(error: unknown): void {
    const { unauthenticated } = this.#options
    this.#context.refusedUsername = usernameIn(authorizationIn(this.#headers))
    const delayMs = isAnonymous(this.#context)
      ? unauthenticated.recordRejected(this.#session, this.#address)
      : 0
    if (delayMs === 0) this.fail(error)
    else setTimeout(() => this.fail(error), delayMs)
  }

  /** Ends a call whose message has not been read. */
  fail(error: unknown): void {
    if (this.#context.isClosed) return
    this.#call.sendStatus(this.#fail(error))
    // The stream would stay open until the client has sent its message.
    this.#stream?.close(constants.NGHTTP2_NO_ERROR)
  }

  async execute(body: Buffer, respond: grpc.sendUnaryData<Buffer>): Promise<void> {
    clearTimeout(this.#timer)
    try {
      const response = await this.#store(body)
      this.finish(200)
      respond(null, response)
    } catch (error) {
      respond(error instanceof RemoteStatus ? this.#failRemotely(error) : this.#fail(error))
    }
  }

  /** Releases what the call holds and records it; the first status counts. */
  finish(status: number): void {
    clearTimeout(this.#timer)
    if (!this.#context.close(status !== CLIENT_CLOSED_REQUEST)) return
    this.#options.recordRequest(this.#context, status, performance.now() - this.#context.startedMs)
  }

  async #store(body: Buffer): Promise<Buffer> {
    const { quotas, handlers, largeRequests } = this.#options
    const { caller, memoryLease } = this.#context
    this.#context.bodyBytes = body.length
    await memoryLease.reserve(body.length)
    memoryLease.complete()
    await quotas.admitBytes(caller, body.length)
    const project_id = projectHeader(this.#headers)
    const storeHere = async (): Promise<Buffer> => {
      await eventLoopYielder.acquire(body.length)
      const request = { content_type: OTLP_PROTOBUF, project_id, body } as const
      const { body: response, ...outcome } = await handlers[this.#name](request, caller)
      recordOutcome(this.#context, outcome)
      return response
    }
    if (largeRequests === undefined) return storeHere()
    const forward = () => this.#forward(largeRequests, body, project_id)
    const isLarge = body.length > largeRequests.maxBodyBytes(operations[this.#name])
    return isLarge ? forward() : unlessLarge(storeHere, forward)
  }

  /** Has the thread for large requests store the export. */
  async #forward(
    largeRequests: LargeRequests,
    body: Buffer,
    project_id: string | undefined,
  ): Promise<Buffer> {
    const { request_id } = this.#context
    this.#context.isLarge = true
    const headers = {
      'content-type': OTLP_PROTOBUF,
      'x-request-id': request_id,
      ...(project_id === undefined ? {} : { [PROJECT_HEADER]: encodeProjectHeader(project_id) }),
    }
    const response = await largeRequests.post({
      path: operations[this.#name].path,
      headers,
      body,
      context: this.#context,
    })
    if (response.status !== 200) throw new RemoteStatus(response.status, response.body)
    return response.body
  }

  #fail(error: unknown): Failure {
    const apiError = asApiError(error)
    this.#options.recordError(apiError, this.#context)
    this.finish(apiError.status)
    return statusOf(apiError, this.#context)
  }

  #failRemotely({ status, bytes }: RemoteStatus): Failure {
    this.finish(status)
    const { code, message } = decodeStatus(bytes)
    return failure(code, message, bytes, this.#context)
  }
}

class GrpcClient implements Client {
  /** The response is one message, which is sent when the call has ended for us. */
  readonly isResponding = false
  readonly #stream: ServerHttp2Stream | undefined

  constructor(stream: ServerHttp2Stream | undefined) {
    this.#stream = stream
  }

  get isConnected(): boolean {
    return this.#stream?.destroyed !== true
  }
}

/** The response of the thread for large requests. It has logged the error. */
class RemoteStatus extends Error {
  readonly status: number
  readonly bytes: Buffer

  constructor(status: number, bytes: Buffer) {
    super(`the thread for large requests returned ${status}`)
    this.status = status
    this.bytes = bytes
  }
}

interface Failure {
  readonly code: grpc.status
  readonly details: string
  readonly metadata: grpc.Metadata
}

function statusOf(error: ApiError, context: RequestContext): Failure {
  const bytes = encodeStatus(error, retryAfterSeconds(error))
  return failure(grpcCode(error), error.message, bytes, context)
}

function failure(code: grpc.status, message: string, bytes: Buffer, { request_id }: RequestContext): Failure {
  const metadata = new grpc.Metadata()
  metadata.set('x-request-id', request_id)
  if (bytes.length <= MAX_DETAILS_CHARACTERS * 3) metadata.set('grpc-status-details-bin', bytes)
  return { code, details: message.slice(0, MAX_DETAILS_CHARACTERS).toWellFormed(), metadata }
}

function tooSlow(): ApiError {
  return new ApiError('unavailable', 'the request took too long to arrive; send smaller batches')
}
