import { SEARCH_INDEXES, type SearchIndex } from '../store/calls/read/search-index.ts'
import { DURABILITIES, type Durability } from '../store/database/durability.ts'
import {
  type Environment,
  httpUrl,
  integer,
  oneOf,
  optional,
  pathPrefix,
  port,
  portOr,
  type ReadSetting,
  readSetting,
  secret,
  type Setting,
  text,
} from './setting.ts'

const LOG_FORMATS = ['auto', 'pretty', 'json'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

/**
 * All settings of the server, read from the environment. Command-line flags take precedence. The comments below become
 * docs/configuration.md.
 */
export interface Settings {
  /** Address to listen on. The default accepts connections from this machine only. */
  readonly host: string
  /** Port to listen on. */
  readonly port: number
  /**
   * Port for OpenTelemetry by OTLP/gRPC, at the same address. `auto` is 4317, or none if another program uses it; `off` is
   * none. OTLP/HTTP needs no port of its own.
   */
  readonly otlpGrpcPort: number | 'auto' | 'off'
  /**
   * Addresses or CIDR ranges of your reverse proxies, separated by commas. Only they are trusted to name the client in
   * `X-Forwarded-For`, for limits per address.
   */
  readonly trustedProxies: string | undefined
  /**
   * Path below which a reverse proxy serves Heddle, such as `/heddle`. Requests are served with it and without it, so the
   * proxy may remove it or not.
   */
  readonly basePath: string
  /**
   * Origins of web pages that may send OpenTelemetry from the browser, such as `https://app.example.com`, separated by
   * commas; `*` is all. Only the paths of OTLP/HTTP, and only with an API key, which every visitor of the page can read
   * (docs/opentelemetry.md).
   */
  readonly corsOrigins: string | undefined
  /** Number of server processes, to use more than one core. Memory limits and quotas apply per process. */
  readonly workers: number
  /** Data directory of embedded ClickHouse. Unused with an external ClickHouse. */
  readonly dataDirectory: string
  /** URL of an external ClickHouse. Unset: Heddle starts embedded ClickHouse. */
  readonly clickhouseUrl: string | undefined
  /**
   * File with the shards and replicas of a ClickHouse cluster (docs/deploy/cluster.md). Instead of the URL of an external
   * ClickHouse; user and password are those of all its servers.
   */
  readonly cluster: string | undefined
  /** User of the external ClickHouse. */
  readonly clickhouseUser: string
  /** Password of that user. */
  readonly clickhousePassword: string
  /** ClickHouse user for users' SQL queries, if you created it yourself (docs/sql.md). */
  readonly clickhouseSqlUser: string | undefined
  /** Password of that user. Unset: Heddle creates the user, with a password derived from its own. */
  readonly clickhouseSqlPassword: string | undefined
  /** Database name; created if absent. All servers on one database serve the same data. */
  readonly clickhouseDatabase: string
  /**
   * Detached parts with lost data that you accept: their names as `/readyz` and `heddle parts list` print them, separated by
   * commas, or `all`. `/readyz` fails while there are others (docs/operations/lost-data.md).
   */
  readonly allowDetachedParts: string | undefined
  /** `debug` logs every request, `info` failed requests, `silent` nothing. */
  readonly logLevel: string
  /** `pretty` for people, `json` for log collectors, `auto`: pretty on a terminal, otherwise json. */
  readonly logFormat: LogFormat
  /** Directory of the built web UI. Unset: the one in the package. */
  readonly webDirectory: string | undefined
  /** Maximum size of one request body, after decompression. */
  readonly bodyLimitBytes: number
  /** Memory budget for the bodies of all requests. When it is exhausted, new requests wait. */
  readonly inFlightLimitBytes: number
  /** How long a request waits for memory before it gets 503. */
  readonly memoryWaitMs: number
  /** Call records per second for one API key and process; 0 = no limit. */
  readonly quotaKeyCallsPerSecond: number
  /** Bytes of call records per second for one API key and process; 0 = no limit. */
  readonly quotaKeyBytesPerSecond: number
  /** Call records per second for one project and process; 0 = no limit. */
  readonly quotaProjectCallsPerSecond: number
  /** Bytes of call records per second for one project and process; 0 = no limit. */
  readonly quotaProjectBytesPerSecond: number
  /** Burst size: unused quota accumulates for this many seconds. */
  readonly quotaBurstSeconds: number
  /** How long a request is retried while ClickHouse is unavailable, before it gets 503. */
  readonly retryWindowMs: number
  /** Timeout of a read of one list page. */
  readonly listTimeoutSeconds: number
  /** Timeout of a read that scans a whole project: counts, filters, statistics, search. */
  readonly scanTimeoutSeconds: number
  /** Maximum ClickHouse memory per read; 0 = ClickHouse's own limit. Embedded ClickHouse: at most 30 % of the machine or container. */
  readonly readMaxMemoryBytes: number
  /** Maximum rows scanned per read; 0 = no limit. */
  readonly readMaxRows: number
  /** Maximum uncompressed bytes scanned per read; 0 = no limit. */
  readonly readMaxBytes: number
  /** Maximum concurrent heavy reads (lists and scans) per process, and separately as many exports. Others wait. */
  readonly maxConcurrentReads: number
  /** Maximum concurrent heavy reads per user, and separately as many exports. */
  readonly maxConcurrentReadsPerUser: number
  /** Maximum concurrent heavy reads per project, and separately as many exports. */
  readonly maxConcurrentReadsPerProject: number
  /** How long a heavy read waits for a slot before it gets 503. */
  readonly readWaitMs: number
  /** `words` maintains a full-text index: 50 % more disk and twice the insert cost (docs/search.md). */
  readonly searchIndex: SearchIndex
  /** After this time a search returns what it has found, with a cursor to continue. */
  readonly searchTimeoutMs: number
  /**
   * Projects with series of their own in `/metrics`: the busiest ones, the others count as `other`. Whoever can read
   * `/metrics` sees their names.
   */
  readonly metricsProjects: number
  /** Reads that take longer are logged with their SQL; 0 = off. */
  readonly slowQueryMs: number
  /** 1 also logs the parameter values of slow reads, which may contain your users' text. */
  readonly slowQueryLogValues: number
  /** What an acknowledged write survives: `process` (kill -9), `power` (power loss, by fsync) or `quorum` (loss of a replica; experimental). */
  readonly durability: Durability
  /**
   * Attributes of calls that hold the user of your application, for the field `end_user`, separated by commas; the first
   * with a value counts. Unset: `user_id`, `end_user_id`, `end_user`, `user.id`, `enduser.id`, `userId`, `user`. Applies to
   * calls received from then on.
   */
  readonly endUserAttributes: string | undefined
  /**
   * Keys in inputs, output and attributes of calls whose text is replaced by `REDACTED` before it is stored, separated by commas;
   * `default` stands for names of credentials such as `api_key` (docs/operations/redaction.md). Unset: calls are stored as sent.
   */
  readonly redactKeys: string | undefined
  /**
   * Encrypts the keys of model providers: at least 32 characters, the same on all servers. Several are separated by commas: the
   * first encrypts, all decrypt. Unset: the file `secret-keys` of the data directory; with an external ClickHouse, none.
   */
  readonly secretKey: string | undefined
  /** Key of OpenAI for all projects (docs/improve/models.md). Unset: a project needs a secret of its own. */
  readonly openaiApiKey: string | undefined
  /** Base URL of OpenAI, or of a server or gateway that speaks its protocol. */
  readonly openaiBaseUrl: string
  /** Key of Anthropic for all projects. */
  readonly anthropicApiKey: string | undefined
  /** Base URL of Anthropic's API in the protocol of OpenAI. */
  readonly anthropicBaseUrl: string
  /** Key of Google's Gemini API for all projects. */
  readonly geminiApiKey: string | undefined
  /** Base URL of the Gemini API in the protocol of OpenAI. */
  readonly geminiBaseUrl: string
  /** Private addresses and ranges that model requests may connect to, separated by commas, such as `127.0.0.1,10.1.0.0/16`. */
  readonly modelsAllowedNetworks: string | undefined
  /** Budget of each project for model requests, in US dollars a day (UTC), unless the project has one of its own; 0 = none. */
  readonly modelsBudgetDollars: number
  /** A call that has been running longer is marked `summary.weave.stale`; 0 = never. */
  readonly staleAfterMs: number
  /**
   * How long requests for a project that is being deleted are refused before its data is deleted. By then every server must
   * know of the deletion (30 s), and writes that began before must have ended (`HEDDLE_RETRY_WINDOW_MS`).
   */
  readonly projectDeletionDelayMs: number
  /** Interval of the job that applies the retention policies of projects; 0 = never (docs/retention.md). */
  readonly retentionIntervalSeconds: number
  /**
   * Maximum age of calls in all projects, in days; 0 = no limit. ClickHouse drops whole parts, so calls may stay up to a month
   * longer. Unlike policies of projects it keeps no call that has feedback or is in a dataset.
   */
  readonly retentionMaxDays: number
  /** Calls of all projects move to cold storage at this age, in days; 0 = never. ClickHouse moves whole parts (docs/retention.md). */
  readonly coldStorageAfterDays: number
  /** Cold storage of embedded ClickHouse: `s3://bucket/prefix`. Keep it set while calls are there. */
  readonly coldStorageTarget: string | undefined
  /** Endpoint of the S3-compatible storage for old calls. Unset: the one of AWS for the region. */
  readonly coldStorageS3Endpoint: string | undefined
  /** Region of the bucket for old calls. */
  readonly coldStorageS3Region: string
  /** Access key for the bucket of old calls. */
  readonly coldStorageS3AccessKeyId: string | undefined
  /** Secret of that access key. */
  readonly coldStorageS3SecretAccessKey: string | undefined
  /** Storage policy of an external ClickHouse with a volume `cold` (docs/retention.md). Experimental. */
  readonly coldStoragePolicy: string | undefined
  /** Logs a warning when the disk of ClickHouse is fuller than this; 0 = never. */
  readonly diskWarnPercent: number
  /** Deletes the oldest calls of all projects when the disk of ClickHouse is fuller than this; 0 = never. */
  readonly diskDeletePercent: number
  /** Delay of the live feed: 0 for one ClickHouse server. With replicated tables it is needed; 0 means 3,000 there. */
  readonly liveDelayMs: number
  /**
   * Where backups are stored: a directory, or `s3://bucket/prefix`. With embedded ClickHouse and S3, the server must have been
   * started with it.
   */
  readonly backupTarget: string | undefined
  /** The disk of an external ClickHouse that is the backup target. Unset: it writes to the directory itself. */
  readonly backupDisk: string | undefined
  /** Endpoint of the S3-compatible storage for backups. Unset: the one of AWS for the region. */
  readonly backupS3Endpoint: string | undefined
  /** Region of the bucket for backups. */
  readonly backupS3Region: string
  /** Access key for the bucket of backups. */
  readonly backupS3AccessKeyId: string | undefined
  /** Secret of that access key. */
  readonly backupS3SecretAccessKey: string | undefined
  /** A server makes a backup this often; 0 = never. Of several servers one does it. */
  readonly backupEveryMinutes: number
  /** A scheduled backup begins a new chain when the current one is this old. */
  readonly backupFullEveryDays: number
  /** After a scheduled backup, those that are older are deleted; 0 = none. */
  readonly backupKeepDays: number
  /** Self-tracing: the OTLP/HTTP collector that gets a span per request; unset = off (docs/operations/monitoring.md). */
  readonly otlpEndpoint: string | undefined
  /** The same as a full URL, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly otlpTracesEndpoint: string | undefined
  /** Headers for that collector, such as `authorization=Bearer%20…,project-id=acme/heddle`. */
  readonly otlpHeaders: string | undefined
  /** `otlp`, or `none` to turn self-tracing off. */
  readonly otlpTracesExporter: string | undefined
  /** Name of this server in its spans. Unset: `heddle`. */
  readonly otlpServiceName: string | undefined
  /** Password of the user `admin`, created with it if the database never had that user. */
  readonly initAdminPassword: string | undefined
  /** API key of the user `admin`, at least 40 characters, created if the database never had it. */
  readonly initApiKey: string | undefined
}

/** The variable and the default of each setting. `secret` settings may also be given as files. */
export const SETTINGS: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  host: text('HEDDLE_HOST', '127.0.0.1'),
  port: port('HEDDLE_PORT', 6340),
  otlpGrpcPort: portOr('HEDDLE_OTLP_GRPC_PORT', 'auto', 'off'),
  trustedProxies: optional('HEDDLE_TRUSTED_PROXIES'),
  basePath: pathPrefix('HEDDLE_BASE_PATH'),
  corsOrigins: optional('HEDDLE_CORS_ORIGINS'),
  workers: integer('HEDDLE_WORKERS', 1, { min: 1 }),
  dataDirectory: text('HEDDLE_DATA', '.heddle'),
  clickhouseUrl: optional('HEDDLE_CLICKHOUSE_URL'),
  cluster: optional('HEDDLE_CLUSTER'),
  clickhouseUser: text('HEDDLE_CLICKHOUSE_USER', 'default'),
  clickhousePassword: secret('HEDDLE_CLICKHOUSE_PASSWORD', ''),
  clickhouseSqlUser: optional('HEDDLE_CLICKHOUSE_SQL_USER'),
  clickhouseSqlPassword: secret('HEDDLE_CLICKHOUSE_SQL_PASSWORD'),
  clickhouseDatabase: text('HEDDLE_CLICKHOUSE_DATABASE', 'heddle'),
  allowDetachedParts: optional('HEDDLE_ALLOW_DETACHED_PARTS'),
  logLevel: text('HEDDLE_LOG_LEVEL', 'info'),
  logFormat: oneOf('HEDDLE_LOG_FORMAT', LOG_FORMATS, 'auto'),
  webDirectory: optional('HEDDLE_WEB_DIRECTORY'),
  bodyLimitBytes: integer('HEDDLE_BODY_LIMIT_BYTES', 64 * 1024 * 1024),
  inFlightLimitBytes: integer('HEDDLE_IN_FLIGHT_LIMIT_BYTES', 64 * 1024 * 1024),
  memoryWaitMs: integer('HEDDLE_MEMORY_WAIT_MS', 10_000),
  quotaKeyCallsPerSecond: integer('HEDDLE_QUOTA_KEY_CALLS_PER_SECOND', 0),
  quotaKeyBytesPerSecond: integer('HEDDLE_QUOTA_KEY_BYTES_PER_SECOND', 0),
  quotaProjectCallsPerSecond: integer('HEDDLE_QUOTA_PROJECT_CALLS_PER_SECOND', 0),
  quotaProjectBytesPerSecond: integer('HEDDLE_QUOTA_PROJECT_BYTES_PER_SECOND', 0),
  quotaBurstSeconds: integer('HEDDLE_QUOTA_BURST_SECONDS', 10),
  retryWindowMs: integer('HEDDLE_RETRY_WINDOW_MS', 25_000),
  listTimeoutSeconds: integer('HEDDLE_LIST_TIMEOUT_SECONDS', 30),
  scanTimeoutSeconds: integer('HEDDLE_SCAN_TIMEOUT_SECONDS', 60),
  readMaxMemoryBytes: integer('HEDDLE_READ_MAX_MEMORY_BYTES', 4 * 1024 * 1024 * 1024),
  readMaxRows: integer('HEDDLE_READ_MAX_ROWS', 2_000_000_000),
  readMaxBytes: integer('HEDDLE_READ_MAX_BYTES', 1_000_000_000_000),
  maxConcurrentReads: integer('HEDDLE_MAX_CONCURRENT_READS', 16),
  maxConcurrentReadsPerUser: integer('HEDDLE_MAX_CONCURRENT_READS_PER_USER', 8),
  maxConcurrentReadsPerProject: integer('HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT', 4),
  readWaitMs: integer('HEDDLE_READ_WAIT_MS', 10_000),
  searchIndex: oneOf('HEDDLE_SEARCH_INDEX', SEARCH_INDEXES, 'off'),
  searchTimeoutMs: integer('HEDDLE_SEARCH_TIMEOUT_MS', 5_000),
  metricsProjects: integer('HEDDLE_METRICS_PROJECTS', 0),
  slowQueryMs: integer('HEDDLE_SLOW_QUERY_MS', 1_000),
  slowQueryLogValues: integer('HEDDLE_SLOW_QUERY_LOG_VALUES', 0),
  durability: oneOf('HEDDLE_DURABILITY', DURABILITIES, 'power'),
  endUserAttributes: optional('HEDDLE_END_USER_ATTRIBUTES'),
  redactKeys: optional('HEDDLE_REDACT_KEYS'),
  secretKey: secret('HEDDLE_SECRET_KEY'),
  openaiApiKey: secret('HEDDLE_OPENAI_API_KEY'),
  openaiBaseUrl: httpUrl('HEDDLE_OPENAI_BASE_URL', 'https://api.openai.com/v1'),
  anthropicApiKey: secret('HEDDLE_ANTHROPIC_API_KEY'),
  anthropicBaseUrl: httpUrl('HEDDLE_ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1'),
  geminiApiKey: secret('HEDDLE_GEMINI_API_KEY'),
  geminiBaseUrl: httpUrl('HEDDLE_GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta/openai'),
  modelsAllowedNetworks: optional('HEDDLE_MODELS_ALLOWED_NETWORKS'),
  modelsBudgetDollars: integer('HEDDLE_MODELS_BUDGET_DOLLARS', 0, { max: 1_000_000 }),
  staleAfterMs: integer('HEDDLE_STALE_AFTER_MS', 24 * 3_600_000),
  projectDeletionDelayMs: integer('HEDDLE_PROJECT_DELETION_DELAY_MS', 60_000),
  retentionIntervalSeconds: integer('HEDDLE_RETENTION_INTERVAL_SECONDS', 3_600),
  retentionMaxDays: integer('HEDDLE_RETENTION_MAX_DAYS', 0),
  coldStorageAfterDays: integer('HEDDLE_COLD_STORAGE_AFTER_DAYS', 0),
  coldStorageTarget: optional('HEDDLE_COLD_STORAGE_TARGET'),
  coldStorageS3Endpoint: optional('HEDDLE_COLD_STORAGE_S3_ENDPOINT'),
  coldStorageS3Region: text('HEDDLE_COLD_STORAGE_S3_REGION', 'us-east-1'),
  coldStorageS3AccessKeyId: optional('HEDDLE_COLD_STORAGE_S3_ACCESS_KEY_ID'),
  coldStorageS3SecretAccessKey: secret('HEDDLE_COLD_STORAGE_S3_SECRET_ACCESS_KEY'),
  coldStoragePolicy: optional('HEDDLE_COLD_STORAGE_POLICY'),
  diskWarnPercent: integer('HEDDLE_DISK_WARN_PERCENT', 80),
  diskDeletePercent: integer('HEDDLE_DISK_DELETE_PERCENT', 0),
  liveDelayMs: integer('HEDDLE_LIVE_DELAY_MS', 0),
  backupTarget: optional('HEDDLE_BACKUP_TARGET'),
  backupDisk: optional('HEDDLE_BACKUP_DISK'),
  backupS3Endpoint: optional('HEDDLE_BACKUP_S3_ENDPOINT'),
  backupS3Region: text('HEDDLE_BACKUP_S3_REGION', 'us-east-1'),
  backupS3AccessKeyId: optional('HEDDLE_BACKUP_S3_ACCESS_KEY_ID'),
  backupS3SecretAccessKey: secret('HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY'),
  backupEveryMinutes: integer('HEDDLE_BACKUP_EVERY_MINUTES', 0),
  backupFullEveryDays: integer('HEDDLE_BACKUP_FULL_EVERY_DAYS', 7),
  backupKeepDays: integer('HEDDLE_BACKUP_KEEP_DAYS', 0),
  otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
  otlpTracesEndpoint: optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  otlpHeaders: secret('OTEL_EXPORTER_OTLP_HEADERS'),
  otlpTracesExporter: optional('OTEL_TRACES_EXPORTER'),
  otlpServiceName: optional('OTEL_SERVICE_NAME'),
  initAdminPassword: secret('HEDDLE_INIT_ADMIN_PASSWORD'),
  initApiKey: secret('HEDDLE_INIT_API_KEY'),
}

/** Whether ClickHouse runs elsewhere: one server, or a cluster. */
export function isExternal({ clickhouseUrl, cluster }: Pick<Settings, 'clickhouseUrl' | 'cluster'>): boolean {
  return clickhouseUrl !== undefined || cluster !== undefined
}

export function readSettings(env: Environment, flags: Partial<Settings> = {}): Settings {
  const values = Object.entries(readSettingSources(env, flags)).map(([key, { value }]) => [key, value])
  return Object.fromEntries(values) as Settings
}

/** All settings with the sources of their values. */
export type ReadSettings = { readonly [K in keyof Settings]: ReadSetting<Settings[K]> }

/** Flags take precedence. */
export function readSettingSources(env: Environment, flags: Partial<Settings> = {}): ReadSettings {
  const settings = Object.entries(SETTINGS as Record<string, Setting<unknown>>)
  return Object.fromEntries(
    settings.map(([key, setting]) => [
      key,
      Object.hasOwn(flags, key)
        ? { value: flags[key as keyof Settings], source: 'flag' }
        : readSetting(env, setting),
    ]),
  ) as ReadSettings
}
