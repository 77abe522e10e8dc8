import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ApiErrorOptions } from '../contract/api-error.ts'
import { writeJson } from '../core/json/write.ts'
import { newRequestId } from './request-id.ts'

/** The one place that turns an error into an answer. SDKs read `reason`, and `detail` for 422. */
export interface ProblemAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Told where the thrower did not say: clients that honour it come back in step with a restart. */
const RETRY_AFTER_SECONDS: ReadonlyMap<number, number> = new Map([
  [429, 1],
  [503, 2],
])

/** A page that asks is not told of Basic: its browser would put up a dialog of its own. */
export function answerProblem(problem: ApiError, request_id: string, isPage = false): ProblemAnswer {
  const headers: Record<string, string> = {}
  const retryAfter = problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS.get(problem.status)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (problem.status === 401 && !isPage) headers['www-authenticate'] = 'Basic realm="heddle", charset="UTF-8"'
  const body = {
    ...problem.extra,
    reason: problem.message,
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    code: problem.code,
    request_id,
  }
  return { status: problem.status, headers, body: writeJson(body) }
}

/** Errors that are not ours are bugs: a fixed sentence for the caller, the cause for the log. */
export function asProblem(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const options: ApiErrorOptions = { cause: error }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('too_large', 'the body is larger than the limit; send smaller batches', options)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', 'the body is not as long as Content-Length says', options)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('invalid_request', 'the Content-Type is malformed; use application/json', options)
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', 'the URL is not well encoded', options)
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('invalid_request', 'a part of the path is too long', options)
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new ApiError('invalid_request', 'the body ended early', options)
    default:
      return new ApiError(
        'internal',
        'something went wrong on our side; look for the request id in the log',
        options,
      )
  }
}

/** What Node could not even read as a request: answered on the bare socket, in the same shape. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const [status, reason] = clientErrorOf(error.code)
    const request_id = newRequestId()
    const body = writeJson({ reason, code: 'invalid_request', request_id })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        `X-Request-Id: ${request_id}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

function clientErrorOf(code: string | undefined): [number, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'the request was not complete in time; send smaller batches']
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'the headers are larger than 16 KiB']
    default:
      return [400, 'this is not a well-formed HTTP request']
  }
}
