import { createHash, randomBytes } from 'node:crypto'
import { identifier } from '../query/sql.ts'
import { viewsDatabase } from './views.ts'

/**
 * The two ClickHouse users of the SQL sandbox on an external ClickHouse; the embedded one has them in its configuration
 * (src/clickhouse/config.ts). One runs the queries and may read only the views. The other is the definer of the views,
 * which read the tables with its rights; it cannot sign in. With `readonly = 1` neither can change a setting.
 */
export interface SqlUser {
  readonly username: string
  readonly password: string
}

export function definerName(username: string): string {
  return `${username}_views`
}

const SETTINGS: Readonly<Record<string, number | string>> = {
  readonly: 1,
  max_execution_time: 30,
  max_temporary_data_on_disk_size_for_query: 4_294_967_296,
  max_temporary_data_on_disk_size_for_user: 8_589_934_592,
  max_rows_to_read: 1_000_000_000,
  max_bytes_to_read: 200_000_000_000,
  max_result_rows: 1_100_000,
  result_overflow_mode: 'break',
  max_concurrent_queries_for_user: 32,
  // A nice value: inserts and reads by id get the processor first. ClickHouse ignores it without CAP_SYS_NICE.
  os_thread_priority: 15,
  allow_ddl: 0,
  allow_introspection_functions: 0,
  use_query_condition_cache: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  use_skip_indexes_if_final: 1,
  use_skip_indexes_if_final_exact_mode: 1,
  do_not_merge_across_partitions_select_final: 1,
  join_use_nulls: 1,
  // In a cluster, a subquery is run once, and its result sent to each shard.
  distributed_product_mode: 'global',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 1,
  date_time_output_format: 'iso',
}

/** As on the embedded ClickHouse: a quarter of what the server may use for one query, half for all of them. */
function memorySettings(serverBytes: number): Readonly<Record<string, number>> {
  const query = Math.floor(serverBytes / 4)
  return {
    max_memory_usage: query,
    max_memory_usage_for_user: query * 2,
    max_bytes_before_external_group_by: Math.floor(query / 2),
    max_bytes_before_external_sort: Math.floor(query / 2),
  }
}

/**
 * The statements that create both users. Names and password come from the settings, never from a caller; `serverBytes` is
 * what ClickHouse may use.
 */
export function createUserStatements(
  database: string,
  { username, password }: SqlUser,
  serverBytes: number,
): string[] {
  for (const name of [database, username]) identifier(name)
  const settings = Object.entries({ ...SETTINGS, ...memorySettings(serverBytes) })
    .map(([name, value]) => `${name} = ${typeof value === 'string' ? `'${value}'` : value}`)
    .join(', ')
  const definer = definerName(username)
  return [
    `CREATE USER OR REPLACE ${definer} IDENTIFIED WITH sha256_hash BY '${sha256(randomBytes(32))}' HOST NONE SETTINGS ${settings}`,
    `GRANT SELECT ON ${database}.* TO ${definer}`,
    `CREATE USER OR REPLACE ${username} IDENTIFIED WITH sha256_hash BY '${sha256(password)}' SETTINGS ${settings}`,
    grantStatement(viewsDatabase(database), { username }),
  ]
}

export function grantStatement(views: string, { username }: Pick<SqlUser, 'username'>): string {
  for (const name of [views, username]) identifier(name)
  return `GRANT SELECT ON ${views}.* TO ${username}`
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
