import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'

/**
 * What a statement is for. A `write` reads only by key, `scan` covers counts and filters over a whole project, and an
 * `export` may take as long as the project is large.
 */
export type QueryClass = 'write' | 'point' | 'list' | 'scan' | 'export'

/** The most that one read may take; 0 leaves it to the engine. */
export interface ReadLimits {
  readonly listSeconds: number
  readonly scanSeconds: number
  readonly memoryBytes: number
  readonly rows: number
  readonly bytes: number
}

export const READ_LIMITS: ReadLimits = {
  listSeconds: 30,
  scanSeconds: 60,
  memoryBytes: 4 * 1024 ** 3,
  rows: 2_000_000_000,
  bytes: 1_000_000_000_000,
}

/** Nobody can narrow a write or a read by id: these are against accidents, and no setting. */
const WRITE_SECONDS = 30
const POINT_SECONDS = 10

/** A stream lasts as long as its reader takes: a whole project over a slow line is no runaway query. */
export const STREAM_SECONDS = 6 * 3600

function secondsOf(kind: QueryClass, limits: ReadLimits): number {
  switch (kind) {
    case 'write':
      return WRITE_SECONDS
    case 'point':
      return POINT_SECONDS
    case 'list':
      return limits.listSeconds
    case 'scan':
      return limits.scanSeconds
    case 'export':
      return STREAM_SECONDS
  }
}

/** Settings of the engine for one statement. What a write needs is the engine's own to say. */
export function limitSettings(kind: QueryClass, limits: ReadLimits): ClickHouseSettings {
  const max_execution_time = secondsOf(kind, limits)
  if (kind === 'write') return { max_execution_time }
  return {
    max_execution_time,
    ...(limits.memoryBytes === 0 ? {} : { max_memory_usage: String(limits.memoryBytes) }),
    ...(limits.rows === 0 ? {} : { max_rows_to_read: String(limits.rows), read_overflow_mode: 'throw' }),
    ...(limits.bytes === 0 ? {} : { max_bytes_to_read: String(limits.bytes), read_overflow_mode: 'throw' }),
  }
}

const NARROW = 'narrow it by time (started_at), op name or trace, or ask for fewer columns'

function problem(limit: string, setting: string, cause: unknown): ApiError {
  return new ApiError('unprocessable', `the query ${limit}, the limit of one read (${setting}); ${NARROW}`, {
    cause,
    extra: { limit: setting },
  })
}

/** Undefined without a limit, and if nothing can be narrowed: a slow read by id is slow because the engine is busy. */
export function tookTooLong(
  kind: QueryClass,
  limits: ReadLimits,
  cause?: unknown,
): { readonly seconds: number; readonly problem: ApiError } | undefined {
  if (kind !== 'list' && kind !== 'scan') return undefined
  const seconds = secondsOf(kind, limits)
  if (seconds === 0) return undefined
  const setting = kind === 'list' ? 'HEDDLE_LIST_TIMEOUT_SECONDS' : 'HEDDLE_SCAN_TIMEOUT_SECONDS'
  return { seconds, problem: problem(`took more than ${seconds} s`, setting, cause) }
}

/** Which limit a statement ran into, and what to do about it; the error itself if it was none. */
export function overLimit(error: unknown, kind: QueryClass, limits: ReadLimits): unknown {
  if (!(error instanceof ClickHouseError) || kind === 'write') return error
  const told = (limit: string, setting: string): ApiError => problem(limit, setting, error)
  switch (error.type) {
    case 'TIMEOUT_EXCEEDED':
    case 'TOO_SLOW':
      return tookTooLong(kind, limits, error)?.problem ?? error
    case 'TOO_MANY_ROWS':
      return told(`reads more than ${limits.rows} rows`, 'HEDDLE_READ_MAX_ROWS')
    case 'TOO_MANY_BYTES':
      return told(`reads more than ${limits.bytes} bytes`, 'HEDDLE_READ_MAX_BYTES')
    case 'TOO_MANY_ROWS_OR_BYTES':
      return told(`reads more than ${limits.rows} rows or ${limits.bytes} bytes`, 'HEDDLE_READ_MAX_ROWS')
    case 'MEMORY_LIMIT_EXCEEDED':
      // Otherwise all queries together were too much for the engine, which passes.
      return /^Query memory limit|\(for query\)/.test(error.message)
        ? told(`needs more than ${limits.memoryBytes} bytes of memory`, 'HEDDLE_READ_MAX_MEMORY_BYTES')
        : error
    default:
      return error
  }
}
