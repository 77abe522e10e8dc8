import { SEARCH_INDEXES, type SearchIndex } from '../store/calls/search-index.ts'
import { DURABILITIES, type Durability } from '../store/database/durability.ts'

/** Everything that can be set, read from the environment in one place. Flags of the CLI come first. */
export interface Settings {
  /** The address to listen on; beyond this machine only if told so. */
  readonly host: string
  readonly port: number
  /** Processes that answer, for more than one core; each has memory limits and quotas of its own. */
  readonly workers: number
  /** Where the built-in engine keeps its data; unused with a ClickHouse of your own. */
  readonly dataDirectory: string
  /** A ClickHouse of your own; undefined starts the built-in one. */
  readonly clickhouseUrl: string | undefined
  readonly clickhouseUser: string
  readonly clickhousePassword: string
  /** The ClickHouse user that runs the SQL of people, if you have made it by hand (docs/sql.md). */
  readonly clickhouseSqlUser: string | undefined
  /** Its password; without one Heddle makes the user, with a password that follows from its own. */
  readonly clickhouseSqlPassword: string | undefined
  /** Made if absent. Every Heddle on one database serves the same data. */
  readonly clickhouseDatabase: string
  /** `debug` logs every request, `info` those that fail, `silent` nothing. */
  readonly logLevel: string
  /** The directory of the built web UI; that of the package without it. */
  readonly webDirectory: string | undefined
  /** The largest body of one request, after decompression. */
  readonly bodyLimitBytes: number
  /** Bodies of all requests held in memory together; beyond it new ones wait for room. */
  readonly inFlightLimitBytes: number
  /** How long a request waits for room for its body, before it is answered 503. */
  readonly memoryWaitMs: number
  /** Records of calls that one API key may send each second to one process; 0 = no limit. */
  readonly quotaKeyCallsPerSecond: number
  /** Bytes of calls that one API key may send each second to one process; 0 = no limit. */
  readonly quotaKeyBytesPerSecond: number
  /** Records of calls that one project may be sent each second through one process; 0 = no limit. */
  readonly quotaProjectCallsPerSecond: number
  /** Bytes of calls that one project may be sent each second through one process; 0 = no limit. */
  readonly quotaProjectBytesPerSecond: number
  /** A quota that was not used is saved up for this many seconds. */
  readonly quotaBurstSeconds: number
  /** How long a request is held and tried again while the engine is away, before it is answered 503. */
  readonly retryWindowMs: number
  /** Seconds that a read of a list may take. */
  readonly listTimeoutSeconds: number
  /** Seconds that a read over a whole project may take: counts, filters, statistics, search. */
  readonly scanTimeoutSeconds: number
  /** Memory of the engine that one read may use; 0 leaves it to the engine. */
  readonly readMaxMemoryBytes: number
  /** Rows that one read may go through; 0 = no limit. */
  readonly readMaxRows: number
  /** Bytes, uncompressed, that one read may go through; 0 = no limit. */
  readonly readMaxBytes: number
  /** Heavy reads (lists and scans) that one process asks of the engine at once, and exports beside them; others wait. */
  readonly maxConcurrentReads: number
  /** Of those as many may be for one project. */
  readonly maxConcurrentReadsPerProject: number
  /** How long a heavy read waits for its turn, before it is answered 503. */
  readonly readWaitMs: number
  /** `words` keeps an index for search: half as much disk again, and twice the work of an insert (docs/search.md). */
  readonly searchIndex: SearchIndex
  /** After so long a search answers what it has found, and a cursor to go on with. */
  readonly searchTimeoutMs: number
  /** Reads that take longer are logged with their SQL; 0 logs none. */
  readonly slowQueryMs: number
  /** 1 logs the values of slow reads too, which may be texts of your users. */
  readonly slowQueryLogValues: number
  /** What an acknowledged write survives: `process` (kill -9), `power` (fsync) or `quorum` (a replica lost). */
  readonly durability: Durability
  /** A call that has been running for longer is marked `summary.weave.stale`; 0 marks none. */
  readonly staleAfterMs: number
  /** How long the live feed waits before it tells: 0 for one engine, a few seconds where tables are replicated. */
  readonly liveDelayMs: number
  /** Password of the user `admin`, who is made with it in a database that never had one. */
  readonly initAdminPassword: string | undefined
  /** An API key of the user `admin`, 40 characters or more, made in a database that never had it. */
  readonly initApiKey: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

export function readSettings(env: Environment, flags: Partial<Settings> = {}): Settings {
  const settings: Settings = {
    host: env['HEDDLE_HOST'] ?? '127.0.0.1',
    port: integer(env, 'HEDDLE_PORT', 6340),
    workers: integer(env, 'HEDDLE_WORKERS', 1),
    dataDirectory: env['HEDDLE_DATA'] ?? '.heddle',
    clickhouseUrl: given(env, 'HEDDLE_CLICKHOUSE_URL'),
    clickhouseUser: env['HEDDLE_CLICKHOUSE_USER'] ?? 'default',
    clickhousePassword: env['HEDDLE_CLICKHOUSE_PASSWORD'] ?? '',
    clickhouseSqlUser: given(env, 'HEDDLE_CLICKHOUSE_SQL_USER'),
    clickhouseSqlPassword: given(env, 'HEDDLE_CLICKHOUSE_SQL_PASSWORD'),
    clickhouseDatabase: env['HEDDLE_CLICKHOUSE_DATABASE'] ?? 'heddle',
    logLevel: env['HEDDLE_LOG_LEVEL'] ?? 'info',
    webDirectory: given(env, 'HEDDLE_WEB_DIRECTORY'),
    bodyLimitBytes: integer(env, 'HEDDLE_BODY_LIMIT_BYTES', 64 * 1024 * 1024),
    inFlightLimitBytes: integer(env, 'HEDDLE_IN_FLIGHT_LIMIT_BYTES', 64 * 1024 * 1024),
    memoryWaitMs: integer(env, 'HEDDLE_MEMORY_WAIT_MS', 10_000),
    quotaKeyCallsPerSecond: integer(env, 'HEDDLE_QUOTA_KEY_CALLS_PER_SECOND', 0),
    quotaKeyBytesPerSecond: integer(env, 'HEDDLE_QUOTA_KEY_BYTES_PER_SECOND', 0),
    quotaProjectCallsPerSecond: integer(env, 'HEDDLE_QUOTA_PROJECT_CALLS_PER_SECOND', 0),
    quotaProjectBytesPerSecond: integer(env, 'HEDDLE_QUOTA_PROJECT_BYTES_PER_SECOND', 0),
    quotaBurstSeconds: integer(env, 'HEDDLE_QUOTA_BURST_SECONDS', 10),
    retryWindowMs: integer(env, 'HEDDLE_RETRY_WINDOW_MS', 25_000),
    listTimeoutSeconds: integer(env, 'HEDDLE_LIST_TIMEOUT_SECONDS', 30),
    scanTimeoutSeconds: integer(env, 'HEDDLE_SCAN_TIMEOUT_SECONDS', 60),
    readMaxMemoryBytes: integer(env, 'HEDDLE_READ_MAX_MEMORY_BYTES', 4 * 1024 * 1024 * 1024),
    readMaxRows: integer(env, 'HEDDLE_READ_MAX_ROWS', 2_000_000_000),
    readMaxBytes: integer(env, 'HEDDLE_READ_MAX_BYTES', 1_000_000_000_000),
    maxConcurrentReads: integer(env, 'HEDDLE_MAX_CONCURRENT_READS', 16),
    maxConcurrentReadsPerProject: integer(env, 'HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT', 4),
    readWaitMs: integer(env, 'HEDDLE_READ_WAIT_MS', 10_000),
    searchIndex: oneOf(env, 'HEDDLE_SEARCH_INDEX', SEARCH_INDEXES, 'off'),
    searchTimeoutMs: integer(env, 'HEDDLE_SEARCH_TIMEOUT_MS', 5_000),
    slowQueryMs: integer(env, 'HEDDLE_SLOW_QUERY_MS', 1_000),
    slowQueryLogValues: integer(env, 'HEDDLE_SLOW_QUERY_LOG_VALUES', 0),
    durability: oneOf(env, 'HEDDLE_DURABILITY', DURABILITIES, 'power'),
    staleAfterMs: integer(env, 'HEDDLE_STALE_AFTER_MS', 24 * 3_600_000),
    liveDelayMs: integer(env, 'HEDDLE_LIVE_DELAY_MS', 0),
    initAdminPassword: given(env, 'HEDDLE_INIT_ADMIN_PASSWORD'),
    initApiKey: given(env, 'HEDDLE_INIT_API_KEY'),
  }
  return { ...settings, ...flags }
}

/** An empty variable is one that is not set. */
function given(env: Environment, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

function oneOf<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const text = given(env, name) ?? fallback
  const value = values.find((known) => known === text)
  if (value === undefined) throw new Error(`${name} must be ${values.join(', ')}, not "${text}"`)
  return value
}

function integer(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}
