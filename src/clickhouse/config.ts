import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type MachineLimits, machineLimits } from './machine-limits.ts'
import { PASSIVE_CACHE, type S3Disks, storageXml, WRITE_THROUGH_CACHE } from './s3-disks.ts'

/**
 * Configuration files of embedded ClickHouse. Defaults that ClickHouse operators usually change: no system log tables
 * (none is configured, so none is created; one installation had 67 GB of them beside 51 MB of traces), no profilers, a
 * memory limit derived from the machine or container, large sorts and aggregations spill to disk.
 */
export interface ServerConfig {
  readonly httpPort: number
  readonly usersFile: string
  readonly temporaryPath: string
  /** The user that Heddle signs in as. */
  readonly user: ServerUser
  readonly s3Disks: S3Disks
}

export interface ServerUser {
  readonly username: string
  readonly password: string
}

/** ClickHouse may use 60 % of the memory: Node, the page cache and other programs need the rest. */
const MEMORY_FRACTION = 0.6

function serverMemoryBytes({ memoryBytes }: MachineLimits): number {
  return Math.floor(memoryBytes * MEMORY_FRACTION)
}

/** One query of Heddle's own user may use half of ClickHouse's memory. */
export function queryMemoryBytes(limits = machineLimits()): number {
  return Math.floor(serverMemoryBytes(limits) / 2)
}

/** A background merge of large payloads needs some hundred megabytes. */
const MEMORY_PER_MERGE_THREAD_BYTES = 512 * 2 ** 20

/** Threads of merges and mutations: 2, as in every embedded ClickHouse, up to the 16 of a server. */
function mergeThreads(limits: MachineLimits): number {
  const affordable = Math.floor(serverMemoryBytes(limits) / MEMORY_PER_MERGE_THREAD_BYTES)
  return Math.max(2, Math.min(16, limits.cores, affordable))
}

/**
 * Sizes of caches, whose defaults are gigabytes. What they hold counts against ClickHouse's memory and is not evicted for
 * queries.
 */
function cacheSizes(serverBytes: number): string {
  const share = (fraction: number, maxBytes: number): number =>
    Math.floor(Math.min(maxBytes, serverBytes * fraction))
  // Marks of all columns take about 4 bytes per call: those of a large server do not fit into a constant.
  return `<mark_cache_size>${share(0.1, 5 * 2 ** 30)}</mark_cache_size>
  <index_mark_cache_size>${share(0.05, 2 ** 29)}</index_mark_cache_size>
  <text_index_tokens_cache_size>${share(0.05, 2 ** 30)}</text_index_tokens_cache_size>
  <text_index_header_cache_size>${share(0.05, 2 ** 30)}</text_index_header_cache_size>
  <text_index_postings_cache_size>${share(0.05, 2 ** 31)}</text_index_postings_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>`
}

export function configXml(config: ServerConfig, limits = machineLimits()): string {
  const server = serverMemoryBytes(limits)
  return `<clickhouse>
  <http_port>${config.httpPort}</http_port>
  <listen_host>127.0.0.1</listen_host>
  ${httpHandlers(config.user)}
  <users_config>${config.usersFile}</users_config>
  <tmp_path>${config.temporaryPath}/</tmp_path>
  <logger><console>1</console></logger>
  <max_server_memory_usage>${server}</max_server_memory_usage>
  ${cacheSizes(server)}
  <background_pool_size>${mergeThreads(limits)}</background_pool_size>
  <max_concurrent_queries>500</max_concurrent_queries>
  <keep_alive_timeout>3</keep_alive_timeout>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
  </access_control_improvements>
  <default_session_timeout>60</default_session_timeout>
  ${storageXml(config.s3Disks)}
</clickhouse>
`
}

/**
 * Only requests with the credentials of a user that has a password reach ClickHouse's query handler. All others except
 * `/ping` get 404, so that nobody can sign in as `default`, which has none (see `usersXml`).
 */
function httpHandlers(user: ServerUser): string {
  const sqlUser = { username: SQL_USER, password: sqlPassword(user.password) }
  const rules = [user, sqlUser].flatMap(({ username, password }) => {
    const basic = Buffer.from(`${username}:${password}`).toString('base64')
    return [
      `<Authorization>Basic ${basic}</Authorization>`,
      `<X-ClickHouse-User>${username}</X-ClickHouse-User><X-ClickHouse-Key>${password}</X-ClickHouse-Key>`,
    ]
  })
  const handler = `<handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>`
  return `<http_handlers>
    <rule><url>/ping</url><handler><type>ping</type></handler></rule>
    ${rules.map((headers) => `<rule><headers>${headers}</headers>${handler}</rule>`).join('\n    ')}
  </http_handlers>`
}

/**
 * The ClickHouse user that runs users' SQL queries (docs/decisions/0012-sql.md). It may read views in databases named
 * `sql_*`. The views read the tables as a second user, `heddle_sql_views`, which cannot sign in.
 */
const SQL_USER = 'heddle_sql'

/** Derived from the password of Heddle's own user, so every server that knows that one can compute it. */
export function sqlPassword(password: string): string {
  return createHmac('sha256', password).update('heddle sql').digest('base64url')
}

/**
 * Limits of users' SQL queries. With `readonly` = 1 neither the request nor the query text can change them. Both users
 * have this profile, because what a view reads counts against the settings of the user it reads as.
 */
export function sqlProfile(limits = machineLimits()): string {
  const query = Math.floor(serverMemoryBytes(limits) / 4)
  return `<sql>
      <readonly>1</readonly>
      ${PASSIVE_CACHE}
      <max_execution_time>30</max_execution_time>
      <max_memory_usage>${query}</max_memory_usage>
      <max_memory_usage_for_user>${query * 2}</max_memory_usage_for_user>
      <max_bytes_before_external_group_by>${Math.floor(query / 2)}</max_bytes_before_external_group_by>
      <max_bytes_before_external_sort>${Math.floor(query / 2)}</max_bytes_before_external_sort>
      <max_temporary_data_on_disk_size_for_query>4294967296</max_temporary_data_on_disk_size_for_query>
      <max_temporary_data_on_disk_size_for_user>8589934592</max_temporary_data_on_disk_size_for_user>
      <max_rows_to_read>1000000000</max_rows_to_read>
      <max_bytes_to_read>200000000000</max_bytes_to_read>
      <max_result_rows>1100000</max_result_rows>
      <result_overflow_mode>break</result_overflow_mode>
      <max_threads>${Math.max(1, Math.floor(limits.cores / 2))}</max_threads>
      <max_concurrent_queries_for_user>32</max_concurrent_queries_for_user>
      <os_thread_priority>15</os_thread_priority>
      <allow_ddl>0</allow_ddl>
      <allow_introspection_functions>0</allow_introspection_functions>
      <allow_python_table_function>0</allow_python_table_function>
      <implicit_select>0</implicit_select>
      <use_query_condition_cache>0</use_query_condition_cache>
      <log_queries>0</log_queries>
      <query_profiler_real_time_period_ns>0</query_profiler_real_time_period_ns>
      <query_profiler_cpu_time_period_ns>0</query_profiler_cpu_time_period_ns>
      <cancel_http_readonly_queries_on_client_close>1</cancel_http_readonly_queries_on_client_close>
      <use_skip_indexes_if_final>1</use_skip_indexes_if_final>
      <use_skip_indexes_if_final_exact_mode>1</use_skip_indexes_if_final_exact_mode>
      <do_not_merge_across_partitions_select_final>1</do_not_merge_across_partitions_select_final>
      <join_use_nulls>1</join_use_nulls>
      <distributed_product_mode>global</distributed_product_mode>
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
      <output_format_json_quote_decimals>1</output_format_json_quote_decimals>
      <output_format_json_quote_denormals>1</output_format_json_quote_denormals>
      <date_time_output_format>iso</date_time_output_format>
    </sql>`
}

/** XML of both users; `password` is the one of Heddle's own user. */
export function sqlUsers(password: string): string {
  // The hash of a random value: nobody can sign in with it.
  const unusableHash = createHash('sha256').update(randomBytes(32)).digest('hex')
  return `<${SQL_USER}>
      <password>${sqlPassword(password)}</password>
      <networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
      <profile>sql</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON sql_*.*</query></grants>
    </${SQL_USER}>
    <${SQL_USER}_views>
      <password_sha256_hex>${unusableHash}</password_sha256_hex>
      <networks/>
      <profile>sql</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON *.*</query></grants>
    </${SQL_USER}_views>`
}

/** The statement that the user `default` runs once, at the start. */
export const LISTEN_STATEMENT = 'SYSTEM START LISTEN HTTP;\n'

/**
 * The user `default` must exist without a password: ClickHouse runs `LISTEN_STATEMENT` as this user, from inside the
 * process. No HTTP request can sign in as it (`httpHandlers`). Should one ever get there, its only grant is that
 * statement, and its quota of one query in ten years is used up by it; the interval restarts at each start. Heddle signs
 * in as `user`. The profile `default` is also the one of background tasks and of loading tables.
 */
export function usersXml(user: ServerUser, limits = machineLimits()): string {
  const query = queryMemoryBytes(limits)
  const spill = Math.floor(query / 2)
  return `<clickhouse>
  <profiles>
    <default>
      <max_threads>${limits.cores}</max_threads>
      <max_memory_usage>${query}</max_memory_usage>
      <max_bytes_before_external_group_by>${spill}</max_bytes_before_external_group_by>
      <max_bytes_before_external_sort>${spill}</max_bytes_before_external_sort>
      <log_queries>0</log_queries>
      <query_profiler_real_time_period_ns>0</query_profiler_real_time_period_ns>
      <query_profiler_cpu_time_period_ns>0</query_profiler_cpu_time_period_ns>
      <http_max_field_value_size>16777216</http_max_field_value_size>
      <http_max_fields>100000</http_max_fields>
      <http_max_multipart_form_data_size>268435456</http_max_multipart_form_data_size>
      <max_query_size>16777216</max_query_size>
      <max_ast_elements>1000000</max_ast_elements>
      <max_ast_depth>10000</max_ast_depth>
      <max_parser_depth>10000</max_parser_depth>
      <max_expanded_ast_elements>1000000</max_expanded_ast_elements>
      ${WRITE_THROUGH_CACHE}
    </default>
    <heddle>
      <profile>default</profile>
      ${PASSIVE_CACHE}
    </heddle>
    ${sqlProfile(limits)}
    <nobody>
      <max_memory_usage>10000000</max_memory_usage>
      <max_execution_time>1</max_execution_time>
      <max_threads>1</max_threads>
    </nobody>
  </profiles>
  <quotas>
    <default/>
    <once><interval><duration>315576000</duration><queries>1</queries></interval></once>
  </quotas>
  <users>
    <default>
      <password/>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>nobody</profile>
      <quota>once</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${user.username}>
      <password>${user.password}</password>
      <networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
      <profile>heddle</profile>
      <quota>default</quota>
      <access_management>0</access_management>
    </${user.username}>
    ${sqlUsers(user.password)}
  </users>
</clickhouse>
`
}
