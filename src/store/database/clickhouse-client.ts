import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'

/** Creates connections to ClickHouse, and has the settings of every statement. */
export interface ConnectionSettings {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

/** ClickHouse counts as unavailable if a ping takes longer. */
const PING_TIMEOUT_MS = 3_000

/** The version of ClickHouse that Heddle is tested with. */
export const TESTED_VERSION = '26.7'

export const BASE_SETTINGS: ClickHouseSettings = {
  // A newer ClickHouse executes statements as the tested one: defaults change with most versions.
  compatibility: TESTED_VERSION,
  // Times as numbers would lose microseconds; 64-bit integers as JSON numbers would lose digits.
  output_format_json_quote_64bit_integers: 1,
  // Refs are full of slashes, and rows without escapes are copied (core/calls/call-copy.ts).
  output_format_json_escape_forward_slashes: 0,
  date_time_output_format: 'iso',
  // An insert is acknowledged only when it is stored, whatever the profile of an external ClickHouse is: that is the
  // meaning of a 200.
  wait_for_async_insert: 1,
  // Exact results: a skip index must not hide the newer version of a row from FINAL.
  use_skip_indexes_if_final: 1,
  use_skip_indexes_if_final_exact_mode: 1,
  do_not_merge_across_partitions_select_final: 1,
  // A query of 10,000 nodes, the maximum of core/query/parse.ts, must pass ClickHouse's parser.
  max_query_size: '16777216',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
  max_ast_depth: '10000',
  max_parser_depth: '10000',
}

/** A pool of connections for statements of Heddle (connection-pools.ts). */
export function createStatementClient(
  settings: ConnectionSettings,
  max_open_connections: number,
): ClickHouseClient {
  return createClient({ ...target(settings), ...POOL, request_timeout: 120_000, max_open_connections })
}

/** A separate connection for pings, which must not queue after statements. */
export function createPingClient(settings: ConnectionSettings): ClickHouseClient {
  return createClient({
    ...target(settings),
    request_timeout: PING_TIMEOUT_MS,
    keep_alive: { enabled: false },
  })
}

/** The connection of the SQL sandbox, which returns every result in one format. */
export function createSandboxClient(settings: ConnectionSettings, format: string): ClickHouseClient {
  return createClient({
    ...target(settings),
    ...POOL,
    http_headers: { 'X-ClickHouse-Format': format },
    request_timeout: 60_000,
    max_open_connections: 32,
  })
}

const POOL = {
  // Parameters are sent in the body, because a filter of 1,000 ids does not fit into a URL.
  use_multipart_params: true,
  keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
}

function target({ url, username, password, database }: ConnectionSettings) {
  return {
    url,
    username,
    password,
    database,
    application: 'heddle',
    // Every error is thrown to the caller, so the client need not log it too.
    log: { level: ClickHouseLogLevel.OFF },
  }
}
