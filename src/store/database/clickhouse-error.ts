import { ClickHouseError } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'

/** Maps errors of ClickHouse to errors of the API. */

/** Error names of conditions that end without intervention: overload, restart, lagging merges. */
const TRANSIENT_ERRORS = new Set([
  'TOO_MANY_PARTS',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'NETWORK_ERROR',
  'SOCKET_TIMEOUT',
  'ALL_CONNECTION_TRIES_FAILED',
  'KEEPER_EXCEPTION',
  'TABLE_IS_READ_ONLY',
  'SERVER_OVERLOADED',
  'ABORTED',
  // Keeper ended the session, or another replica changes the same table. 244 and 517.
  'UNEXPECTED_ZOOKEEPER_ERROR',
  'CANNOT_ASSIGN_ALTER',
  // A replica did not confirm an insert: `quorum` in durability.ts.
  'TOO_FEW_LIVE_REPLICAS',
  'UNKNOWN_STATUS_OF_INSERT',
  'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
])

/** Errors of reading anything. If it was the response of another shard, its connection broke. */
const READ_ERRORS = new Set([
  'ATTEMPT_TO_READ_AFTER_EOF',
  'CANNOT_READ_ALL_DATA',
  'UNEXPECTED_PACKET_FROM_SERVER',
  'UNKNOWN_PACKET_FROM_SERVER',
])
const FROM_ANOTHER_SERVER = /while receiving packet from/

/**
 * The disk is full. Retrying does not help until somebody frees space. Some file errors carry the reason only in
 * their message.
 */
const STORAGE_FULL_ERRORS = new Set(['NOT_ENOUGH_SPACE', 'CANNOT_RESERVE_SPACE'])
const FILE_ERROR =
  /^(CANNOT_\w*(WRITE|FILE|DIRECTORY|TRUNCATE|FSYNC|CLOSE)\w*|STD_EXCEPTION|POCO_EXCEPTION|ERRNO_EXCEPTION)$/
const NO_SPACE_MESSAGE = /No space left on device|errno: 28\b|Disk quota exceeded/

function isStorageFull({ type = '', message }: ClickHouseError): boolean {
  return STORAGE_FULL_ERRORS.has(type) || (FILE_ERROR.test(type) && NO_SPACE_MESSAGE.test(message))
}

const RESOURCE_LIMIT_ERRORS = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_ROWS',
  'TOO_MANY_BYTES',
  'TOO_MANY_ROWS_OR_BYTES',
])

/** Whether a statement needed more memory, rows or bytes than it may use. */
export function isResourceLimit(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof ClickHouseError && RESOURCE_LIMIT_ERRORS.has(cause.type ?? '')
}

/** A server was given up that responded neither to a statement nor to a ping; another one may. */
export class SilentServerError extends Error {
  constructor(cause: unknown) {
    super('ClickHouse responds neither to a statement nor to a ping', { cause })
  }
}

/**
 * A read by id or key took too long. Its caller cannot narrow it: ClickHouse is overloaded, or its machine was suspended.
 */
export class SlowServerError extends Error {
  constructor(cause: unknown) {
    super('ClickHouse did not execute a small statement in time', { cause })
  }
}

/** ClickHouse could not be reached, or not in time: the connection was refused, reset or timed out. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ClickHouseError || error instanceof ApiError) return false
  if (!(error instanceof Error)) return false
  if (error instanceof SilentServerError || error instanceof SlowServerError) return true
  const code = (error as NodeJS.ErrnoException).code
  return (
    (code !== undefined && /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|UND_ERR)/.test(code)) ||
    /socket hang up|Timeout error|aborted|other side closed/i.test(error.message)
  )
}

/** The error code of ClickHouse, such as '516'; undefined for errors of the connection. */
export function clickHouseErrorCode(error: unknown): string | undefined {
  return error instanceof ClickHouseError ? error.code : undefined
}

/** Whether the condition that ClickHouse names so ends without intervention. */
export function isTransientErrorName(name: string): boolean {
  return TRANSIENT_ERRORS.has(name)
}

function isTransientCondition({ type = '', message }: ClickHouseError): boolean {
  return isTransientErrorName(type) || (READ_ERRORS.has(type) && FROM_ANOTHER_SERVER.test(message))
}

/** Whether retrying the same statement can succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Error && error.name === 'AbortError') return false
  if (error instanceof ClickHouseError) return isTransientCondition(error) && !isStorageFull(error)
  return isUnreachable(error)
}

export function toApiError(error: unknown): Error {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.message.includes('HTML Form Exception')) {
    const reason =
      'the query is larger than ClickHouse accepts; split it into several requests, or raise http_max_fields and http_max_field_value_size in the default profile of ClickHouse'
    return new ApiError('invalid_request', reason, { cause: error })
  }
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    if (isStorageFull(error)) {
      return new ApiError('storage_full', 'ClickHouse has no disk space left; free some space and retry', {
        cause: error,
        retryAfterSeconds: 10,
      })
    }
    if (type === 'TIMEOUT_EXCEEDED') {
      return new ApiError('timeout', 'the query took too long; narrow it by time, op name or trace', {
        cause: error,
      })
    }
    if (RESOURCE_LIMIT_ERRORS.has(type)) {
      return new ApiError('unavailable', 'the query needs more memory than it may use; narrow it', {
        cause: error,
        retryAfterSeconds: 5,
      })
    }
    if (type === 'S3_ERROR') {
      const reason =
        'cold storage is not reachable: the object storage of ClickHouse, for old calls or backups, does not respond or refuses; retry later, the log has the reason'
      return new ApiError('unavailable', reason, { cause: error, retryAfterSeconds: 10 })
    }
    if (isTransientCondition(error)) return unavailableError(error)
    return error
  }
  return isUnreachable(error)
    ? unavailableError(error)
    : error instanceof Error
      ? error
      : new Error(String(error))
}

export function unavailableError(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'ClickHouse is not responding; retry the request, repeating what was already stored changes nothing',
    {
      cause,
      retryAfterSeconds: 2,
    },
  )
}
