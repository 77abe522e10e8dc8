import { ClickHouseError } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'

/** What the engine's failures mean to a caller. */

/** Error names that pass by themselves: overload, restart, merges that lag behind. */
const PASSING = new Set([
  'TOO_MANY_PARTS',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'NETWORK_ERROR',
  'SOCKET_TIMEOUT',
  'ALL_CONNECTION_TRIES_FAILED',
  'KEEPER_EXCEPTION',
  'TABLE_IS_READ_ONLY',
  'SERVER_OVERLOADED',
  'ABORTED',
  // Replicas that do not confirm: `quorum` of durability.ts.
  'TOO_FEW_LIVE_REPLICAS',
  'UNKNOWN_STATUS_OF_INSERT',
  'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
])

/**
 * No disk space. Not worth holding a request for: space comes back when somebody makes some. Some failures of files
 * carry the reason only in their text.
 */
const FULL = new Set(['NOT_ENOUGH_SPACE', 'CANNOT_RESERVE_SPACE'])
const OF_FILES =
  /^(CANNOT_\w*(WRITE|FILE|DIRECTORY|TRUNCATE|FSYNC|CLOSE)\w*|STD_EXCEPTION|POCO_EXCEPTION|ERRNO_EXCEPTION)$/
const NO_SPACE = /No space left on device|errno: 28\b|Disk quota exceeded/

function isFull({ type = '', message }: ClickHouseError): boolean {
  return FULL.has(type) || (OF_FILES.test(type) && NO_SPACE.test(message))
}

const TOO_MUCH = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_ROWS',
  'TOO_MANY_BYTES',
  'TOO_MANY_ROWS_OR_BYTES',
])

/** The engine could not be reached at all: connection refused, reset, timed out. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ClickHouseError || error instanceof ApiError) return false
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code
  return (
    (code !== undefined && /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|UND_ERR)/.test(code)) ||
    /socket hang up|Timeout error|aborted|other side closed/i.test(error.message)
  )
}

/** Whether trying the same statement again can help. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Error && error.name === 'AbortError') return false
  if (error instanceof ClickHouseError) return PASSING.has(error.type ?? '') && !isFull(error)
  return isUnreachable(error)
}

export function toApiError(error: unknown): Error {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.message.includes('HTML Form Exception')) {
    const reason =
      'the query is larger than the engine takes; ask in several requests, or raise http_max_fields and http_max_field_value_size in the default profile of the engine'
    return new ApiError('invalid_request', reason, { cause: error })
  }
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    if (isFull(error)) {
      return new ApiError(
        'storage_full',
        'the engine has no disk space left; free some and send this again',
        {
          cause: error,
          retryAfterSeconds: 10,
        },
      )
    }
    if (type === 'TIMEOUT_EXCEEDED') {
      return new ApiError('timeout', 'the query took too long; narrow it by time, op name or trace', {
        cause: error,
      })
    }
    if (TOO_MUCH.has(type)) {
      return new ApiError('unavailable', 'the query needs more memory than it may use; narrow it', {
        cause: error,
        retryAfterSeconds: 5,
      })
    }
    if (PASSING.has(type)) return awayProblem(error)
    return error
  }
  return isUnreachable(error) ? awayProblem(error) : error instanceof Error ? error : new Error(String(error))
}

export function awayProblem(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'the storage engine is not answering; send this again, what was stored already stays as it is',
    {
      cause,
      retryAfterSeconds: 2,
    },
  )
}
