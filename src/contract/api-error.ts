/** Every way a request can fail, with the status it is answered with. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
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
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface ApiErrorOptions {
  /** For the log, never for the caller. */
  readonly cause?: unknown
  /** Further keys of the answer, such as `deleted_at`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** What is wrong with which field; answered as `detail`, as Weave's SDKs read it. */
  readonly detail?: readonly FieldError[]
  readonly retryAfterSeconds?: number
}

/** The one error that rooms throw; src/http/error-responses.ts is the one place that answers it. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extra: Readonly<Record<string, unknown>>
  readonly detail: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, reason: string, options: ApiErrorOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.extra = options.extra ?? {}
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** 422 with the field named, for what a schema alone cannot say. */
export function unprocessable(loc: readonly (string | number)[], msg: string): ApiError {
  return new ApiError('unprocessable', `${loc.join('.')}: ${msg}`, {
    detail: [{ loc, msg, type: 'value_error' }],
  })
}
