/** Everything that can be set, read from the environment in one place. Flags of the CLI come first. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Where the built-in engine keeps its data; unused with a ClickHouse of your own. */
  readonly dataDirectory: string
  /** A ClickHouse of your own; undefined starts the built-in one. */
  readonly clickhouseUrl: string | undefined
  readonly clickhouseUser: string
  readonly clickhousePassword: string
  readonly clickhouseDatabase: string
  readonly logLevel: string
  readonly bodyLimitBytes: number
  readonly holdMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

export function readSettings(env: Environment, flags: Partial<Settings> = {}): Settings {
  const settings: Settings = {
    host: env['HEDDLE_HOST'] ?? '127.0.0.1',
    port: integer(env, 'HEDDLE_PORT', 6340),
    dataDirectory: env['HEDDLE_DATA'] ?? '.heddle',
    clickhouseUrl: env['HEDDLE_CLICKHOUSE_URL'],
    clickhouseUser: env['HEDDLE_CLICKHOUSE_USER'] ?? 'default',
    clickhousePassword: env['HEDDLE_CLICKHOUSE_PASSWORD'] ?? '',
    clickhouseDatabase: env['HEDDLE_CLICKHOUSE_DATABASE'] ?? 'heddle',
    logLevel: env['HEDDLE_LOG_LEVEL'] ?? 'info',
    bodyLimitBytes: integer(env, 'HEDDLE_BODY_LIMIT_BYTES', 64 * 1024 * 1024),
    holdMs: integer(env, 'HEDDLE_HOLD_MS', 25_000),
  }
  return { ...settings, ...flags }
}

function integer(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}
