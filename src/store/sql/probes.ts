import { viewsDatabase } from './views.ts'

/**
 * What must be refused to the user of people's SQL, asked as that user before any text of people is run: on a
 * ClickHouse that somebody else runs, users may be made by hand, and settings may be left out.
 */
export interface Probe {
  readonly text: string
  /** Codes of the engine's errors that refuse it. */
  readonly refusals: ReadonlySet<string>
  /** Completes "the user … ". */
  readonly hole: string
}

const ACCESS_DENIED = '497'
const READONLY = '164'
const DATABASE_ACCESS_DENIED = '481'
/** The built-in engine's own refusal: engine/engine.ts. */
const STD_EXCEPTION = '1001'

export function probes(database: string): Probe[] {
  const refused = (text: string, hole: string, ...refusals: readonly string[]): Probe => ({
    text,
    hole,
    refusals: new Set(refusals),
  })
  return [
    refused(`SELECT 1 FROM ${database}.users LIMIT 0`, `may read tables of ${database}`, ACCESS_DENIED),
    refused(
      'SELECT 1 FROM system.processes LIMIT 0',
      'may read system.processes: set select_from_system_db_requires_grant, or revoke it',
      ACCESS_DENIED,
    ),
    refused(
      "SELECT * FROM url('http://127.0.0.1:1/', LineAsString, 'line String') LIMIT 0",
      'may reach the network: revoke every grant but SELECT on the views',
      ACCESS_DENIED,
      READONLY,
    ),
    refused(
      'SELECT 1 SETTINGS max_block_size = 12345',
      'may change settings: give it readonly = 1',
      READONLY,
    ),
    refused("SELECT file('/')", 'may read any file', DATABASE_ACCESS_DENIED, ACCESS_DENIED, STD_EXCEPTION),
  ]
}

/** One row of ones: limits that must be set, and views that show nothing to a query that names no project. */
export function confinement(database: string): string {
  const limits = ['max_execution_time', 'max_memory_usage', 'max_rows_to_read', 'max_result_rows']
  const set = limits.map((name) => `getSetting('${name}') > 0`).join(' AND ')
  return `SELECT ${set} AND getSetting('readonly') = 1, (SELECT count() FROM ${viewsDatabase(database)}.calls) = 0`
}
