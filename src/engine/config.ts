import { totalmem } from 'node:os'

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
  </users>
</clickhouse>
`
}
