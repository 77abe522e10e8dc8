import { DataType, load, open } from 'ffi-rs'
import { libchdbPath } from 'chdb/libchdb'

/**
 * The engine's own process. It calls the entry point of the ClickHouse command line inside libchdb, which listens
 * until its last query ends; that query reads standard input, so the engine lives exactly as long as the parent
 * holds the pipe and closes cleanly when the parent dies, even by `kill -9`.
 */
const UNTIL_PARENT_ENDS =
  "SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null SETTINGS max_execution_time = 0"

const [path, configFile] = process.argv.slice(2)
const args = [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${configFile}`,
  '--multiquery',
  '--query',
  `SYSTEM START LISTEN HTTP; ${UNTIL_PARENT_ENDS}`,
]

// Ctrl-C goes to the whole process group; the parent decides when the engine ends, after it has drained.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

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
