import { closeSync } from 'node:fs'
import { arrayConstructor, createPointer, DataType, load, open, restorePointer, unwrapPointer } from 'ffi-rs'
import { libchdbPath } from 'chdb/libchdb'

/**
 * The child process that runs embedded ClickHouse. It calls the entry point of the ClickHouse command line in libchdb
 * with two query files: the first starts the HTTP listener, the second is a pipe that stays open until the parent
 * closes our standard input. So ClickHouse lives exactly as long as its parent and shuts down cleanly even if the parent
 * gets `kill -9`. A query that reads standard input would work too, but its user would need permission to read files,
 * and that user has no password (see config.ts).
 */
const [path, configFile, listenFile] = process.argv.slice(2)

/** Creates a kernel pipe; Node offers none that can be opened by path. */
function makePipe(): { readonly readEnd: number; readonly writeEnd: number } {
  open({ library: 'c', path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' })
  const pair = arrayConstructor({ type: DataType.I32Array, length: 2 })
  const pointer = createPointer({ paramsType: [pair], paramsValue: [[-1, -1]] })
  const status = load({
    library: 'c',
    funcName: 'pipe',
    retType: DataType.I32,
    paramsType: [DataType.External],
    paramsValue: [unwrapPointer(pointer)[0]],
  })
  const [ends] = restorePointer({ retType: [pair], paramsValue: pointer }) as unknown as number[][]
  const [readEnd, writeEnd] = ends ?? []
  if (status !== 0 || readEnd === undefined || writeEnd === undefined)
    throw new Error('embedded ClickHouse could not create a pipe')
  return { readEnd, writeEnd }
}

const { readEnd, writeEnd } = makePipe()
process.stdin
  .once('close', () => {
    // The parent has removed our working directory (embedded-clickhouse.ts); without one ClickHouse aborts at exit.
    process.chdir('/')
    closeSync(writeEnd)
  })
  .resume()

// Ctrl-C signals the whole process group; the parent stops ClickHouse after it has drained.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const args = [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${configFile}`,
  // The log level of the configuration file is ignored in this mode, and logging every query costs time.
  '--log-level=warning',
  '--queries-file',
  `${listenFile}`,
  '--queries-file',
  `/dev/fd/${readEnd}`,
]
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
