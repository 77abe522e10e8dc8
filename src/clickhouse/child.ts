import { closeSync } from 'node:fs'
import { arrayConstructor, createPointer, DataType, load, open, restorePointer, unwrapPointer } from 'ffi-rs'
import { libchdbPath } from 'chdb/libchdb'

/**
 * The engine's own process. It calls the entry point of the ClickHouse command line inside libchdb with two files
 * of statements: the first makes it listen, the second is a pipe that stays empty until this process closes it,
 * when the parent closes standard input. So the engine lives exactly as long as its parent and closes cleanly
 * even if that ends by `kill -9`. A standing query that reads standard input would do as well, but its user
 * would need the right to read files, and that user has no password (see config.ts).
 */
const [path, configFile, listenFile] = process.argv.slice(2)

/** A pipe of the kernel; Node has none of its own that can be opened by a name. */
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
    throw new Error('the engine could not make a pipe')
  return { readEnd, writeEnd }
}

const { readEnd, writeEnd } = makePipe()
process.stdin
  .once('close', () => {
    // The directory it was started in is gone (engine.ts), and without one the engine aborts at its end.
    process.chdir('/')
    closeSync(writeEnd)
  })
  .resume()

// Ctrl-C goes to the whole process group; the parent decides when the engine ends, after it has drained.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const args = [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${configFile}`,
  // The level in the configuration file is not looked at here; a log of every query is not free.
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
