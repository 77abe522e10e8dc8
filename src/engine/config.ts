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
  <logger><level>warning</level><console>1</console></logger>
  <max_server_memory_usage>${server}</max_server_memory_usage>
  <mark_cache_size>${Math.min(1 << 29, Math.floor(server / 10))}</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>30</keep_alive_timeout>
  <default_session_timeout>60</default_session_timeout>
</clickhouse>
`
}

/**
 * `default` must exist without a password for the engine's own standing query; from outside it can do next to
 * nothing. Heddle signs in as `config.username`.
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
      <http_max_multipart_form_data_size>268435456</http_max_multipart_form_data_size>
      <max_query_size>16777216</max_query_size>
      <max_ast_elements>1000000</max_ast_elements>
      <max_expanded_ast_elements>1000000</max_expanded_ast_elements>
    </default>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password/>
      <networks><ip>127.255.255.254</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON system.one</query><query>GRANT FILE ON *.*</query><query>GRANT SYSTEM ON *.*</query><query>GRANT CREATE TEMPORARY TABLE ON *.*</query></grants>
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
