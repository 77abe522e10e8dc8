import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ApiErrorOptions, type FieldError } from '../contract/api-error.ts'
import { writeJson } from '../core/json/write.ts'
import { newRequestId } from './request-id.ts'

/** Renders errors as HTTP responses; no other module does. SDKs read `reason`, and `detail` for 422. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Also in the headers. */
  readonly retryAfterSeconds: number | undefined
  readonly body: string
}

/** Default Retry-After by status. Clients that honor it come back in time after a restart. */
const RETRY_AFTER_SECONDS: ReadonlyMap<number, number> = new Map([
  [429, 1],
  [503, 2],
])

/** What the rendering of an error needs to know of its request. */
export interface FailedRequest {
  readonly id: string
  readonly method: string
  /** Path parameters. */
  readonly params: unknown
  /** It gets no `WWW-Authenticate: Basic`, which would make the browser show its own sign-in dialog. */
  readonly isWebUi?: boolean
}

/** When a request may be sent again; undefined if it should not be. */
export function retryAfterSeconds(error: ApiError): number | undefined {
  return error.retryAfterSeconds ?? RETRY_AFTER_SECONDS.get(error.status)
}

export function renderError(error: ApiError, request: FailedRequest): ErrorResponse {
  const headers: Record<string, string> = {}
  const retryAfter = retryAfterSeconds(error)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (error.status === 401 && request.isWebUi !== true)
    headers['www-authenticate'] = 'Basic realm="heddle", charset="UTF-8"'
  const body = {
    ...error.extra,
    reason: error.message,
    ...(error.detail === undefined ? {} : { detail: error.detail.map((each) => withPart(each, request)) }),
    code: error.code,
    request_id: request.id,
  }
  return { status: error.status, headers, retryAfterSeconds: retryAfter, body: writeJson(body) }
}

/** Begins the location of a field with the part of the request that holds it, as FastAPI does. */
function withPart({ loc, ...rest }: FieldError, { method, params }: FailedRequest): FieldError {
  const isPath = typeof loc[0] === 'string' && Object.hasOwn(Object(params), loc[0])
  const part = isPath ? 'path' : method === 'GET' || method === 'DELETE' ? 'query' : 'body'
  return { loc: [part, ...loc], ...rest }
}

/** Unexpected errors are bugs: the caller gets a fixed message, the log gets the cause. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const options: ApiErrorOptions = { cause: error }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('too_large', 'the body is larger than the limit; send smaller batches', options)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', 'the length of the body does not match Content-Length', options)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('invalid_request', 'the Content-Type is malformed; use application/json', options)
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', 'the URL is not correctly percent-encoded', options)
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('invalid_request', 'a path segment is too long', options)
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new ApiError(
        'invalid_request',
        'the connection was closed before the whole body arrived',
        options,
      )
    default:
      return new ApiError(
        'internal',
        'internal server error; search the server log for this request_id',
        options,
      )
  }
}

/** Answers what Node could not parse as an HTTP request: writes to the socket directly, with the same error body. */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const [status, reason] = clientErrorStatus(error.code)
    const request_id = newRequestId()
    const body = writeJson({ reason, code: 'invalid_request', request_id })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        `X-Request-Id: ${request_id}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

function clientErrorStatus(code: string | undefined): [number, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'the request took too long to arrive; send smaller batches']
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'the headers are larger than 16 KiB']
    default:
      return [400, 'malformed HTTP request']
  }
}
