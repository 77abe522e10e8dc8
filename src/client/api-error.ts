import { type FieldError, ApiError, type ErrorCode, ERROR_STATUS } from '../contract/api-error.ts'

interface ErrorBody {
  readonly reason?: unknown
  readonly code?: unknown
  readonly detail?: readonly FieldError[]
}

/** Reads the error from a response. Also handles error bodies of other servers, such as proxies. */
export async function readApiError(response: Response): Promise<ApiError> {
  const text = await response.text()
  const { reason, code, detail, ...extra } = parseErrorBody(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(
    isCode(code) ? code : codeForStatus(response.status),
    typeof reason === 'string'
      ? reason
      : `the server responded with status ${response.status}: ${text.slice(0, 500)}`,
    {
      extra,
      ...(Array.isArray(detail) ? { detail } : {}),
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    },
  )
}

function parseErrorBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
}

function codeForStatus(status: number): ErrorCode {
  const code = (Object.keys(ERROR_STATUS) as ErrorCode[]).find((known) => ERROR_STATUS[known] === status)
  return code ?? (status >= 500 ? 'unavailable' : 'invalid_request')
}
