import { DataType, load, open } from 'ffi-rs'
import { libchdbPath } from 'chdb/libchdb'

/**
 * A ClickHouse as somebody else would have set it up: plain flags, the user `default` without a password, and no
 * configuration but the two users of docs/sql.md. It ends when its standard input does.
 */
const [path, port, config] = process.argv.slice(2)
const args = [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${config}`,
  `--http_port=${port}`,
  '--listen_host=127.0.0.1',
  '--log-level=warning',
  '--multiquery',
  '--query',
  "SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', 'LineAsString', 'l String') FORMAT Null SETTINGS max_execution_time = 0",
]
// See src/clickhouse/child.ts; the parent says so before it ends standard input, which the engine itself reads.
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
