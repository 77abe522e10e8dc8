import { listUnboundedLogTables } from '../../store/database/server-state.ts'
import { clickhouseCheck, ok, problem, warning } from './check.ts'
import { formatBytes } from './disk.ts'

/** Log tables of ClickHouse without a TTL grow until the disk is full. Embedded ClickHouse has none. */
const MAX_BYTES = 10 * 2 ** 30

export const logTablesCheck = clickhouseCheck('system log tables', async ({ clickhouse }) => {
  const tables = await listUnboundedLogTables(clickhouse)
  if (tables.length === 0) return [ok('no system log table without a TTL')]
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const names = tables.map(({ table }) => table).join(', ')
  const message = `system log tables without a TTL have ${formatBytes(bytes)}: ${names}`
  const remedy =
    'give each a <ttl> in the configuration of ClickHouse, such as event_date + INTERVAL 7 DAY DELETE, or disable it'
  return [bytes > MAX_BYTES ? problem(message, remedy) : warning(message, remedy)]
})
