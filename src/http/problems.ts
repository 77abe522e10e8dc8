import { Problem, type ProblemOptions } from '../contract/problem.ts'
import { writeJson } from '../core/json/write.ts'

/** The one place that turns an error into an answer. SDKs read `reason`, and `detail` for 422. */
export interface ProblemAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function answerProblem(error: unknown, request_id: string): ProblemAnswer {
  const problem = asProblem(error)
  const headers: Record<string, string> = {}
  if (problem.retryAfterSeconds !== undefined) headers['retry-after'] = String(problem.retryAfterSeconds)
  if (problem.status === 401) headers['www-authenticate'] = 'Basic realm="heddle"'
  const body = {
    reason: problem.message,
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    code: problem.code,
    request_id,
    ...problem.extra,
  }
  return { status: problem.status, headers, body: writeJson(body) }
}

/** Errors that are not ours are bugs: a fixed sentence for the caller, the cause for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const options: ProblemOptions = { cause: error }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'the body is larger than the limit; send smaller batches', options)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('invalid_request', 'the body is not as long as Content-Length says', options)
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new Problem('invalid_request', 'the body ended early', options)
    default:
      return new Problem('internal', 'something went wrong on our side; look for the request id in the log', options)
  }
}
