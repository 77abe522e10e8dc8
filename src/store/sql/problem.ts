import { ClickHouseError } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'
import { toApiError } from '../database/clickhouse-error.ts'

/** What the engine's refusals of people's SQL mean to them. By number: a text can forge the rest of its own error. */
export const AUTHENTICATION_FAILED = '516'

const REASON_CHARACTERS = 2_000

export function sqlProblem(error: unknown): Error {
  if (!(error instanceof ClickHouseError)) return unlessAway(toApiError(error))
  const reason = error.message.trim().slice(0, REASON_CHARACTERS)
  const options = { cause: error }
  switch (error.code) {
    case '497': // ACCESS_DENIED
    case '164': // READONLY
    case '392': // QUERY_IS_PROHIBITED
      return new ApiError('forbidden', `this may not be asked in SQL: ${reason}`, options)
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
        : new ApiError(
            'unavailable',
            'the engine is short of memory; ask again, or narrow the query',
            options,
          )
    case '202': // TOO_MANY_SIMULTANEOUS_QUERIES
      return new ApiError(
        'rate_limited',
        'too many queries in SQL are running; ask again in a moment',
        options,
      )
    case AUTHENTICATION_FAILED:
      return new ApiError(
        'unavailable',
        'the user that runs SQL was changed in the engine; ask again',
        options,
      )
    case '210': // NETWORK_ERROR
    case '236': // ABORTED
    case '243': // NOT_ENOUGH_SPACE
      return toApiError(error)
    default:
      return new ApiError('invalid_request', `the engine cannot run this: ${reason}`, options)
  }
}

/** The engine's own failures, of files for example, have texts that say much about its machine and nothing to people. */
function unlessAway(error: Error): Error {
  if (error instanceof ApiError || error.name === 'AbortError') return error
  return new ApiError('invalid_request', 'the engine cannot run this', { cause: error })
}
