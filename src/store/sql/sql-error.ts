import { ApiError } from '../../contract/api-error.ts'
import { clickHouseErrorCode, toApiError } from '../database/clickhouse-error.ts'

/**
 * Maps errors of ClickHouse in the SQL sandbox to errors of the API. Only the error code is used, because a query can
 * forge the rest of its own error message.
 */
export const AUTHENTICATION_FAILED = '516'

const MAX_REASON_CHARACTERS = 2_000

export function toSqlError(error: unknown): Error {
  const code = clickHouseErrorCode(error)
  if (code === undefined) return hideInternalError(toApiError(error))
  const reason = (error as Error).message.trim().slice(0, MAX_REASON_CHARACTERS)
  const options = { cause: error }
  switch (code) {
    case '497': // ACCESS_DENIED
    case '164': // READONLY
    case '392': // QUERY_IS_PROHIBITED
      return new ApiError('forbidden', `this SQL is not allowed: ${reason}`, options)
    case '159': // TIMEOUT_EXCEEDED
    case '160': // TOO_SLOW
      return new ApiError('timeout', `the query took too long; narrow it by started_at: ${reason}`, options)
    case '158': // TOO_MANY_ROWS
    case '307': // TOO_MANY_BYTES
    case '396': // TOO_MANY_ROWS_OR_BYTES
      return new ApiError(
        'unprocessable',
        `the query reads too much; narrow it by started_at: ${reason}`,
        options,
      )
    case '241': // MEMORY_LIMIT_EXCEEDED
      return reason.startsWith('Query memory limit')
        ? new ApiError('unprocessable', `the query needs too much memory; narrow it: ${reason}`, options)
        : new ApiError('unavailable', 'ClickHouse is short of memory; retry, or narrow the query', options)
    case '202': // TOO_MANY_SIMULTANEOUS_QUERIES
      return new ApiError('rate_limited', 'too many SQL queries are running; retry in a moment', options)
    case AUTHENTICATION_FAILED:
      return new ApiError('unavailable', 'the SQL user was changed in ClickHouse; retry', options)
    case '210': // NETWORK_ERROR
    case '236': // ABORTED
    case '243': // NOT_ENOUGH_SPACE
    case '279': // ALL_CONNECTION_TRIES_FAILED: a shard does not respond
    case '499': // S3_ERROR: cold storage does not respond
      return toApiError(error)
    default:
      return new ApiError('invalid_request', `ClickHouse cannot run this query: ${reason}`, options)
  }
}

/** Internal errors of ClickHouse, such as file errors, describe its machine and do not help the caller. */
function hideInternalError(error: Error): Error {
  if (error instanceof ApiError || error.name === 'AbortError') return error
  return new ApiError('invalid_request', 'ClickHouse cannot run this query', { cause: error })
}
