/** All error codes with their HTTP status. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  unavailable: 503,
  storage_full: 503,
  timeout: 504,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export interface FieldError {
  /** Path of the field within the request; src/http/error-responses.ts adds the part of the request before it. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface ApiErrorOptions {
  /** Logged, never sent to the caller. */
  readonly cause?: unknown
  /** Additional keys of the error response, such as `deleted_at`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Errors by field, sent as `detail` in the form that Weave's SDKs read. */
  readonly detail?: readonly FieldError[]
  readonly retryAfterSeconds?: number
}

/** The error that every layer throws for a failed request. Only src/http/error-responses.ts renders it. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extra: Readonly<Record<string, unknown>>
  readonly detail: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, reason: string, options: ApiErrorOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.extra = options.extra ?? {}
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** The message of a missing field. */
export const MISSING_FIELD = 'missing required field'

/** A 422 error for one field, for rules that a schema cannot express. */
export function unprocessable(
  loc: readonly (string | number)[],
  msg: string,
  type: 'value_error' | 'missing' = 'value_error',
): ApiError {
  return invalidFields([{ loc, msg, type }])
}

/** A 422 error for one or more fields. The reason names the first. */
export function invalidFields(detail: readonly FieldError[]): ApiError {
  const [first] = detail
  const path = first?.loc.join('.') ?? ''
  const msg = first?.msg ?? 'the request is invalid'
  return new ApiError('unprocessable', path === '' ? msg : `${path}: ${msg}`, { detail })
}
