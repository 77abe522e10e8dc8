import { closeSync, openSync, readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { arrayConstructor, createPointer, DataType, load, open, restorePointer, unwrapPointer } from 'ffi-rs'
import { LOCK_HELD_EXIT_CODE, LOCKED_MESSAGE, type StartMessage } from './child-protocol.ts'
import { libchdbPath } from './libchdb.ts'

/**
 * The child process that runs embedded ClickHouse. It locks the data directory before anything in it is changed, and
 * holds the lock for as long as ClickHouse runs. Then it calls the entry point of the ClickHouse command line in libchdb
 * with two query files: the first starts the HTTP listener, the second is a pipe that stays open until the parent
 * closes our standard input. So ClickHouse lives exactly as long as its parent and shuts down cleanly even if the parent
 * gets `kill -9`. A query that reads standard input would work too, but its user would need permission to read files,
 * and that user has no password (see config.ts).
 */
const LOCK_EXCLUSIVE_NONBLOCKING = 2 | 4
/** Linux, macOS. */
const WOULD_BLOCK: readonly number[] = [11, 35]

// Files that ClickHouse creates are for their owner only.
process.umask(0o077)
open({ library: 'c', path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' })

/** Node has no file locks. The kernel releases this one when the process ends, however it ends. */
function lock(file: string): void {
  const { value, errnoCode, errnoMessage } = load<DataType.I32, true>({
    library: 'c',
    funcName: 'flock',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I32],
    paramsValue: [openSync(file, 'a', 0o600), LOCK_EXCLUSIVE_NONBLOCKING],
    errno: true,
  })
  if (value === 0) return
  if (WOULD_BLOCK.includes(errnoCode)) process.exit(LOCK_HELD_EXIT_CODE)
  throw new Error(`the data directory cannot be locked: ${errnoMessage}`)
}

/**
 * Added to the nice value of this process, so that the Heddle process gets the processor first. It serves everybody with
 * one thread, and a few queries would otherwise starve it: with eight concurrent reads by id on two cores, another
 * user's read took 1.5 s instead of 0.2 s.
 */
const NICE = 5

/** Lowers the priority of all threads. On Linux each has its own, which the threads that it starts inherit. */
function lowerPriority(): void {
  const nice = Math.min(19, getPriority() + NICE)
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
  for (const thread of threads) {
    try {
      setPriority(thread, nice)
    } catch {
      // The thread has ended, or the platform does not allow it.
    }
  }
}

/** Creates a kernel pipe; Node offers none that can be opened by path. */
function makePipe(): { readonly readEnd: number; readonly writeEnd: number } {
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

/** The parent sends one line. If it ends before, there is nothing to run. */
function receiveStart(): Promise<StartMessage> {
  return new Promise((resolve) => {
    let text = ''
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.endsWith('\n')) resolve(JSON.parse(text) as StartMessage)
    })
    process.stdin.once('close', () => {
      if (!text.endsWith('\n')) process.exit(0)
    })
  })
}

// Ctrl-C signals the whole process group; the parent stops ClickHouse after it has drained.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

lowerPriority()
lock(process.argv[2] ?? '')
process.stdout.write(LOCKED_MESSAGE)
const { data, configFile, listenFile, workingDirectory } = await receiveStart()
process.chdir(workingDirectory)
const { readEnd, writeEnd } = makePipe()
process.stdin.once('close', () => {
  // The parent has removed our working directory (embedded-clickhouse.ts); without one ClickHouse aborts at exit.
  process.chdir('/')
  closeSync(writeEnd)
})

const args = [
  'clickhouse',
  `--path=${data}`,
  `--config-file=${configFile}`,
  // The log level of the configuration file is ignored in this mode, and logging every query costs time.
  '--log-level=warning',
  '--queries-file',
  listenFile,
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
