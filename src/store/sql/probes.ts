import { viewsDatabase } from './views.ts'

/**
 * Probes that verify the confinement of the SQL sandbox user. They run as that user before the first query of a caller:
 * on an external ClickHouse an administrator may have created the user and left out a setting.
 */
export interface Probe {
  readonly text: string
  /** ClickHouse error codes of which one must be returned. */
  readonly expectedErrors: ReadonlySet<string>
  /** What is wrong if the probe succeeds; completes "the user … ". */
  readonly violation: string
}

const ACCESS_DENIED = '497'
const READONLY = '164'
const DATABASE_ACCESS_DENIED = '481'
/** How the embedded ClickHouse refuses it (src/clickhouse). */
const STD_EXCEPTION = '1001'

export function probes(database: string): Probe[] {
  const denied = (text: string, violation: string, ...errors: readonly string[]): Probe => ({
    text,
    violation,
    expectedErrors: new Set(errors),
  })
  return [
    denied(`SELECT 1 FROM ${database}.users LIMIT 0`, `may read tables of ${database}`, ACCESS_DENIED),
    denied(
      'SELECT 1 FROM system.processes LIMIT 0',
      'may read system.processes: set select_from_system_db_requires_grant, or revoke it',
      ACCESS_DENIED,
    ),
    denied(
      "SELECT * FROM url('http://127.0.0.1:1/', LineAsString, 'line String') LIMIT 0",
      'may reach the network: revoke every grant but SELECT on the views',
      ACCESS_DENIED,
      READONLY,
    ),
    denied('SELECT 1 SETTINGS max_block_size = 12345', 'may change settings: give it readonly = 1', READONLY),
    denied("SELECT file('/')", 'may read any file', DATABASE_ACCESS_DENIED, ACCESS_DENIED, STD_EXCEPTION),
  ]
}

/** Selects two flags that must be 1: the limits are set, and the views are empty for a query without a project. */
export function limitsStatement(database: string): string {
  const limits = ['max_execution_time', 'max_memory_usage', 'max_rows_to_read', 'max_result_rows']
  const set = limits.map((name) => `getSetting('${name}') > 0`).join(' AND ')
  return `SELECT ${set} AND getSetting('readonly') = 1, (SELECT count() FROM ${viewsDatabase(database)}.calls) = 0`
}
