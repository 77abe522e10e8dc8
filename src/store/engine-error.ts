import { ClickHouseError } from '@clickhouse/client'
import { Problem } from '../contract/problem.ts'

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
])

const FULL = new Set(['NOT_ENOUGH_SPACE', 'CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'CANNOT_RESERVE_SPACE'])

const TOO_MUCH = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_ROWS',
  'TOO_MANY_BYTES',
  'TOO_MANY_ROWS_OR_BYTES',
])

/** The engine could not be reached at all: connection refused, reset, timed out. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ClickHouseError || error instanceof Problem) return false
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
  if (error instanceof ClickHouseError) return PASSING.has(error.type ?? '') || FULL.has(error.type ?? '')
  return isUnreachable(error)
}

export function engineProblem(error: unknown): Error {
  if (error instanceof Problem) return error
  if (error instanceof Error && error.message.includes('HTML Form Exception')) {
    const reason =
      'the query is larger than the engine takes; ask in several requests, or raise http_max_fields and http_max_field_value_size in the default profile of the engine'
    return new Problem('invalid_request', reason, { cause: error })
  }
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    if (FULL.has(type)) {
      return new Problem('storage_full', 'the engine has no disk space left; free some and send this again', {
        cause: error,
        retryAfterSeconds: 10,
      })
    }
    if (type === 'TIMEOUT_EXCEEDED') {
      return new Problem('timeout', 'the query took too long; narrow it by time, op name or trace', {
        cause: error,
      })
    }
    if (TOO_MUCH.has(type)) {
      return new Problem('unavailable', 'the query needs more memory than it may use; narrow it', {
        cause: error,
        retryAfterSeconds: 5,
      })
    }
    if (PASSING.has(type)) return away(error)
    return error
  }
  return isUnreachable(error) ? away(error) : error instanceof Error ? error : new Error(String(error))
}

function away(cause: unknown): Problem {
  return new Problem(
    'unavailable',
    'the storage engine is not answering; nothing was stored, send this again',
    {
      cause,
      retryAfterSeconds: 2,
    },
  )
}
