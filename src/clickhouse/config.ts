import { createHash, createHmac, randomBytes } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'

/**
 * The engine's configuration file. Hygiene that users of other products had to find out for themselves: no system
 * log tables (none is named here, so none is made; one install held 67 GB of them beside 51 MB of traces), no
 * profilers, memory capped from the size of the machine, large sorts and groups spilled to disk.
 */
export interface EngineConfig {
  readonly httpPort: number
  readonly usersFile: string
  readonly temporaryPath: string
}

export interface EngineUser {
  readonly username: string
  readonly password: string
}

/** The engine may use 60 % of the machine: Node, the page cache and the user's own programs live here too. */
const MEMORY_SHARE = 0.6

function serverMemoryBytes(memoryBytes: number): number {
  return Math.floor(memoryBytes * MEMORY_SHARE)
}

export function engineConfigXml(config: EngineConfig, memoryBytes = totalmem()): string {
  const server = serverMemoryBytes(memoryBytes)
  return `<clickhouse>
  <http_port>${config.httpPort}</http_port>
  <listen_host>127.0.0.1</listen_host>
  <users_config>${config.usersFile}</users_config>
  <tmp_path>${config.temporaryPath}/</tmp_path>
  <logger><console>1</console></logger>
  <max_server_memory_usage>${server}</max_server_memory_usage>
  <mark_cache_size>${Math.min(1 << 29, Math.floor(server / 10))}</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>3</keep_alive_timeout>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
  </access_control_improvements>
  <default_session_timeout>60</default_session_timeout>
</clickhouse>
`
}

/**
 * Who runs the SQL of people (docs/decisions/0012-sql.md): it reads views, in databases whose names begin with `sql_`.
 * The views read tables as a second user of nearly the same name, who cannot sign in.
 */
const SQL_USER = 'heddle_sql'

/** Follows from the password of Heddle's own user, so that whoever knows that one need not be told this one. */
export function sqlPassword(password: string): string {
  return createHmac('sha256', password).update('heddle sql').digest('base64url')
}

/**
 * What SQL of people may use. `readonly` is 1: neither the request nor the text can change any of it. Both users have
 * it, since what a view reads is counted against the settings of the one it reads as.
 */
export function sqlProfile(memoryBytes = totalmem()): string {
  const query = Math.floor(serverMemoryBytes(memoryBytes) / 4)
  return `<sql>
      <readonly>1</readonly>
      <max_execution_time>30</max_execution_time>
      <max_memory_usage>${query}</max_memory_usage>
      <max_memory_usage_for_user>${query * 2}</max_memory_usage_for_user>
      <max_bytes_before_external_group_by>${Math.floor(query / 2)}</max_bytes_before_external_group_by>
      <max_bytes_before_external_sort>${Math.floor(query / 2)}</max_bytes_before_external_sort>
      <max_temporary_data_on_disk_size_for_query>4294967296</max_temporary_data_on_disk_size_for_query>
      <max_temporary_data_on_disk_size_for_user>8589934592</max_temporary_data_on_disk_size_for_user>
      <max_rows_to_read>1000000000</max_rows_to_read>
      <max_result_rows>1100000</max_result_rows>
      <result_overflow_mode>break</result_overflow_mode>
      <max_threads>${Math.max(1, Math.floor(availableParallelism() / 2))}</max_threads>
      <max_concurrent_queries_for_user>32</max_concurrent_queries_for_user>
      <priority>10</priority>
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
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
      <output_format_json_quote_decimals>1</output_format_json_quote_decimals>
      <output_format_json_quote_denormals>1</output_format_json_quote_denormals>
      <date_time_output_format>iso</date_time_output_format>
    </sql>`
}

/** Both users; `password` is the one of Heddle's own. */
export function sqlUsers(password: string): string {
  // Nobody knows what this is the hash of.
  const none = createHash('sha256').update(randomBytes(32)).digest('hex')
  return `<${SQL_USER}>
      <password>${sqlPassword(password)}</password>
      <networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
      <profile>sql</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON sql_*.*</query></grants>
    </${SQL_USER}>
    <${SQL_USER}_views>
      <password_sha256_hex>${none}</password_sha256_hex>
      <networks/>
      <profile>sql</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON *.*</query></grants>
    </${SQL_USER}_views>`
}

/** What the user `default` runs, once, at the start. */
export const LISTEN = 'SYSTEM START LISTEN HTTP;\n'

/**
 * `default` must exist without a password: the engine runs `LISTEN` as this user, and from this machine anybody
 * can be it. So it may do that one thing, and its quota is used up by doing it once; the quota's ten years begin
 * anew at each start. Heddle signs in as `user`.
 */
export function engineUsersXml(user: EngineUser, memoryBytes = totalmem()): string {
  const query = Math.floor(serverMemoryBytes(memoryBytes) / 2)
  const spill = Math.floor(query / 2)
  return `<clickhouse>
  <profiles>
    <default>
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
    </default>
    ${sqlProfile(memoryBytes)}
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
      <profile>default</profile>
      <quota>default</quota>
      <access_management>0</access_management>
    </${user.username}>
    ${sqlUsers(user.password)}
  </users>
</clickhouse>
`
}
