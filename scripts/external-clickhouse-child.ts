import { DataType, load, open } from 'ffi-rs'
import { libchdbPath } from '../src/clickhouse/libchdb.ts'

/**
 * Runs a ClickHouse as an external one would be set up: plain flags, the user `default` without a password, and only
 * the two users of docs/sql.md configured. It exits when its standard input ends.
 */
const [path, port, nativePort, config] = process.argv.slice(2)
const args = [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${config}`,
  `--http_port=${port}`,
  `--tcp_port=${nativePort}`,
  '--listen_host=127.0.0.1',
  '--log-level=warning',
  '--multiquery',
  '--query',
  "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('-', 'LineAsString', 'l String') FORMAT Null SETTINGS max_execution_time = 0",
]
// As in src/clickhouse/child.ts. The parent sends a message before it ends standard input, which ClickHouse reads.
process.once('message', () => {
  process.chdir('/')
  process.disconnect()
})
process.once('disconnect', () => process.chdir('/'))
open({ library: 'chdb', path: libchdbPath() })
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I32,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
})
process.exit(0)
