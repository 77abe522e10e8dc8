import type { IncomingHttpHeaders } from 'node:http'
import grpc from '@grpc/grpc-js'
import { ApiError } from '../../contract/api-error.ts'
import { OTLP_PROTOBUF } from '../../contract/otlp.ts'
import { operations } from '../../contract/operations.ts'
import { LargeWork } from '../../core/concurrency/large-work.ts'
import type { Handlers } from '../../service/handler.ts'
import { asApiError, retryAfterSeconds } from '../error-responses.ts'
import { eventLoopYielder } from '../event-loop-yield.ts'
import { MAX_CALLS_BODY_BYTES } from '../large-requests.ts'
import { REQUEST_TIMEOUT_MS } from '../limits.ts'
import type { MemoryBudget } from '../memory-budget.ts'
import { projectHeader } from '../otlp-request.ts'
import { decodeStatus, encodeStatus, grpcCode } from '../otlp-status.ts'
import { authorizationIn } from '../pipeline/authenticate.ts'
import type { PipelineOptions } from '../pipeline/endpoint.ts'
import { CLIENT_CLOSED_REQUEST } from '../pipeline/open-context.ts'
import { RequestContext } from '../request-context.ts'
import { requestId } from '../request-id.ts'
import { countReceivedBytes } from './received-bytes.ts'

/** OTLP/gRPC: the same exports as OTLP/HTTP, with the same limits, on a port of its own. */
export interface OtlpGrpcOptions extends PipelineOptions {
  readonly handlers: Pick<Handlers, 'otlp_traces' | 'otlp_logs'>
  readonly memoryBudget: MemoryBudget
  /** Counts and logs a finished request. */
  readonly recordRequest: (context: RequestContext, status: number, durationMs: number) => void
  /** Counts and logs a failed one. */
  readonly recordError: (error: ApiError, context: RequestContext) => void
}

type ExportName = 'otlp_traces' | 'otlp_logs'

const SERVICES: Readonly<Record<ExportName, string>> = {
  otlp_traces: 'opentelemetry.proto.collector.trace.v1.TraceService',
  otlp_logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
}

/** Longer messages do not fit into the headers that clients accept. */
const MAX_DETAILS_CHARACTERS = 1_000

// grpc-js would write to standard error.
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

export class OtlpGrpcServer {
  readonly #options: OtlpGrpcOptions
  readonly #server: grpc.Server
  /** Of calls that were admitted and whose message has not arrived yet. */
  readonly #calls = new WeakMap<grpc.Metadata, GrpcCall>()

  constructor(options: OtlpGrpcOptions) {
    this.#options = options
    this.#server = new grpc.Server({
      'grpc.max_receive_message_length': options.bodyLimitBytes,
      interceptors: [(method, call) => this.#admit(method.path, call)],
    })
    for (const name of Object.keys(SERVICES) as ExportName[])
      this.#server.addService(
        { Export: exportMethod(name) },
        {
          Export: (call: grpc.ServerUnaryCall<Buffer, Buffer>, respond: grpc.sendUnaryData<Buffer>) => {
            void this.#calls.get(call.metadata)?.execute(call.request, respond)
          },
        },
      )
  }

  /** Returns the URL for exporters. */
  async listen(host: string, port: number): Promise<string> {
    const name = host.includes(':') ? `[${host}]` : host
    const bound = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`${name}:${port}`, grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      )
    })
    return `http://${name}:${bound}`
  }

  /** Stops listening and waits for requests in progress. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()))
  }

  /** Authenticates the caller and reserves memory before any of the message is read. */
  #admit(path: string, call: grpc.ServerInterceptingCallInterface): grpc.ServerInterceptingCall {
    const name = path.includes('TraceService') ? 'otlp_traces' : 'otlp_logs'
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
              (error: unknown) => received.fail(error),
            )
          },
          // Also called at the end of a call that has succeeded.
          onCancel: () => grpcCall?.finish(CLIENT_CLOSED_REQUEST),
        })
      },
    })
  }
}

function exportMethod(name: ExportName): grpc.MethodDefinition<Buffer, Buffer> {
  const asBytes = (bytes: Buffer): Buffer => bytes
  return {
    path: `/${SERVICES[name]}/Export`,
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
  readonly #startedMs = performance.now()
  readonly #timer: NodeJS.Timeout
  #isFinished = false

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
    this.#context = new RequestContext(
      requestId(this.#headers['x-request-id']),
      options.memoryBudget.openLease(),
    )
    this.#context.operation = `${name}_grpc`
    this.#timer = setTimeout(() => this.fail(tooSlow()), REQUEST_TIMEOUT_MS)
  }

  async admit(): Promise<void> {
    const { access, quotas, bodyLimitBytes } = this.#options
    const { memoryLease: lease } = this.#context
    const { remoteAddress } = this.#call.getConnectionInfo()
    const caller = await access.authenticate(authorizationIn(this.#headers), remoteAddress)
    this.#context.caller = caller
    await quotas.admitBytes(caller, 0)
    await lease.open(caller.user_id)
    countReceivedBytes(this.#call, {
      lease,
      caller: caller.user_id,
      limitBytes: bodyLimitBytes,
      fail: (error) => this.fail(error),
    })
  }

  /** Ends a call whose message has not been read. */
  fail(error: unknown): void {
    if (this.#isFinished) return
    this.#call.sendStatus(this.#fail(error))
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
    if (this.#isFinished) return
    this.#isFinished = true
    clearTimeout(this.#timer)
    this.#context.close(status !== CLIENT_CLOSED_REQUEST)
    this.#options.recordRequest(this.#context, status, performance.now() - this.#startedMs)
  }

  async #store(body: Buffer): Promise<Buffer> {
    const { quotas, handlers, largeRequests } = this.#options
    const { caller, memoryLease } = this.#context
    this.#context.bodyBytes = body.length
    await memoryLease.reserve(body.length)
    memoryLease.complete()
    await quotas.admitBytes(caller, body.length)
    const project_id = projectHeader(this.#headers)
    if (largeRequests !== undefined && body.length > MAX_CALLS_BODY_BYTES)
      return this.#forward(body, project_id)
    await eventLoopYielder.acquire(body.length)
    try {
      const request = { content_type: OTLP_PROTOBUF, project_id, body } as const
      return (await handlers[this.#name](request, caller)).body
    } catch (error) {
      if (error instanceof LargeWork && largeRequests !== undefined) return this.#forward(body, project_id)
      throw error
    }
  }

  /** Has the thread for large requests store the export. */
  async #forward(body: Buffer, project_id: string | undefined): Promise<Buffer> {
    const { largeRequests } = this.#options
    const { caller, request_id } = this.#context
    this.#context.isLarge = true
    const headers = {
      'content-type': OTLP_PROTOBUF,
      'x-request-id': request_id,
      ...(project_id === undefined ? {} : { project_id }),
    }
    const response = await largeRequests!.post({ path: operations[this.#name].path, headers, body, caller })
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
