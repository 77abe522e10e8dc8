import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'
import { SlowServerError } from './clickhouse-error.ts'

/**
 * The class of a statement, which decides its limits, its connection pool and its admission. `write`: reads by key on
 * the write path. `point`: reads by id. `list`: a page. `scan`: counts and filters over a whole project. `export`: may
 * run as long as the project is large. `live`: polls of the live feed. `access`: users, keys, roles and projects.
 */
export type QueryClass = 'write' | 'point' | 'list' | 'scan' | 'export' | 'live' | 'access'

/** Limits of one read; 0 leaves a limit to ClickHouse. */
export interface ReadLimits {
  readonly listTimeoutSeconds: number
  readonly scanTimeoutSeconds: number
  readonly maxMemoryBytes: number
  readonly maxRows: number
  readonly maxBytes: number
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  listTimeoutSeconds: 30,
  scanTimeoutSeconds: 60,
  maxMemoryBytes: 4 * 1024 ** 3,
  maxRows: 2_000_000_000,
  maxBytes: 1_000_000_000_000,
}

/** A stream lasts as long as its reader: a whole project over a slow connection is not a runaway query. */
export const STREAM_TIMEOUT_SECONDS = 6 * 3600

/** Callers cannot narrow a write or a read by id, so these limits only guard against accidents and are not configurable. */
const FIXED_TIMEOUT_SECONDS = {
  write: 30,
  point: 10,
  live: 10,
  access: 30,
  export: STREAM_TIMEOUT_SECONDS,
} as const

function timeoutSeconds(kind: QueryClass, limits: ReadLimits): number {
  if (kind === 'list') return limits.listTimeoutSeconds
  return kind === 'scan' ? limits.scanTimeoutSeconds : FIXED_TIMEOUT_SECONDS[kind]
}

/**
 * The nice value of ClickHouse's threads for heavy reads, so that inserts and reads by id get the processor first.
 * ClickHouse ignores it without CAP_SYS_NICE. Above that of the embedded ClickHouse (src/clickhouse/child.ts).
 */
const HEAVY_READ_NICE = '10'

/** Whether reads of this class are limited in number (read-admission.ts). */
export function isHeavy(kind: QueryClass): boolean {
  return kind === 'list' || kind === 'scan' || kind === 'export'
}

/** The limits as ClickHouse settings of one statement. Writes have only a timeout. */
export function limitSettings(kind: QueryClass, limits: ReadLimits): ClickHouseSettings {
  const max_execution_time = timeoutSeconds(kind, limits)
  if (kind === 'write' || kind === 'access') return { max_execution_time }
  return {
    max_execution_time,
    ...(isHeavy(kind) ? { os_thread_priority: HEAVY_READ_NICE } : {}),
    ...(limits.maxMemoryBytes === 0 ? {} : { max_memory_usage: String(limits.maxMemoryBytes) }),
    ...(limits.maxRows === 0
      ? {}
      : { max_rows_to_read: String(limits.maxRows), read_overflow_mode: 'throw' }),
    ...(limits.maxBytes === 0
      ? {}
      : { max_bytes_to_read: String(limits.maxBytes), read_overflow_mode: 'throw' }),
  }
}

const NARROW_HINT = 'narrow it by time (started_at), op name or trace, or request fewer columns'

function limitError(limit: string, setting: string, cause: unknown): ApiError {
  return new ApiError(
    'unprocessable',
    `the query ${limit}, the limit of one read (${setting}); ${NARROW_HINT}`,
    {
      cause,
      extra: { limit: setting },
    },
  )
}

/** Undefined without a limit, and for reads that cannot be narrowed: a read by id is slow because ClickHouse is busy. */
export function timeoutLimit(
  kind: QueryClass,
  limits: ReadLimits,
  cause?: unknown,
): { readonly seconds: number; readonly error: ApiError } | undefined {
  if (kind !== 'list' && kind !== 'scan') return undefined
  const seconds = timeoutSeconds(kind, limits)
  if (seconds === 0) return undefined
  const setting = kind === 'list' ? 'HEDDLE_LIST_TIMEOUT_SECONDS' : 'HEDDLE_SCAN_TIMEOUT_SECONDS'
  return { seconds, error: limitError(`took more than ${seconds} s`, setting, cause) }
}

/** The error that names the exceeded limit and what to do about it; the original error if it was another one. */
export function toLimitError(error: unknown, kind: QueryClass, limits: ReadLimits): unknown {
  if (!(error instanceof ClickHouseError)) return error
  if (!isHeavy(kind) && error.type === 'TIMEOUT_EXCEEDED') return new SlowServerError(error)
  if (kind === 'write' || kind === 'access') return error
  const exceeded = (limit: string, setting: string): ApiError => limitError(limit, setting, error)
  switch (error.type) {
    case 'TIMEOUT_EXCEEDED':
    case 'TOO_SLOW':
      return timeoutLimit(kind, limits, error)?.error ?? error
    case 'TOO_MANY_ROWS':
      return exceeded(`reads more than ${limits.maxRows} rows`, 'HEDDLE_READ_MAX_ROWS')
    case 'TOO_MANY_BYTES':
      return exceeded(`reads more than ${limits.maxBytes} bytes`, 'HEDDLE_READ_MAX_BYTES')
    case 'TOO_MANY_ROWS_OR_BYTES':
      return exceeded(
        `reads more than ${limits.maxRows} rows or ${limits.maxBytes} bytes`,
        'HEDDLE_READ_MAX_ROWS',
      )
    case 'MEMORY_LIMIT_EXCEEDED':
      // Otherwise all queries together exceeded the memory of ClickHouse, which is transient.
      return /^Query memory limit|\(for query\)/.test(error.message)
        ? exceeded(`needs more than ${limits.maxMemoryBytes} bytes of memory`, 'HEDDLE_READ_MAX_MEMORY_BYTES')
        : error
    default:
      return error
  }
}
