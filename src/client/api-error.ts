import { type FieldError, ApiError, type ErrorCode, ERROR_STATUS } from '../contract/api-error.ts'

interface Answered {
  readonly reason?: unknown
  readonly code?: unknown
  readonly detail?: readonly FieldError[]
}

/** The problem that a server answered, as it was thrown there. Also understands servers that are not ours. */
export async function problemOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  const { reason, code, detail, ...extra } = parse(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(
    isCode(code) ? code : codeOf(response.status),
    typeof reason === 'string' ? reason : `the server answered ${response.status}: ${text.slice(0, 500)}`,
    {
      extra,
      ...(Array.isArray(detail) ? { detail } : {}),
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    },
  )
}

function parse(text: string): Answered {
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

function codeOf(status: number): ErrorCode {
  const code = (Object.keys(ERROR_STATUS) as ErrorCode[]).find((known) => ERROR_STATUS[known] === status)
  return code ?? (status >= 500 ? 'unavailable' : 'invalid_request')
}
