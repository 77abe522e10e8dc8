import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCK_HELD_EXIT_CODE, LOCKED_MESSAGE, type StartMessage } from './child-protocol.ts'
import { configXml, usersXml, LISTEN_STATEMENT, type ServerUser } from './config.ts'
import { createPrivateDirectory, restrictToOwner } from './data-directory.ts'
import { refuseOtherOwner } from './data-owner.ts'
import { isResponding } from './ping.ts'
import { removeRunning, recordRunning } from './running.ts'
import type { S3Disks } from './s3-disks.ts'
import { readServerErrors, type ServerError } from './server-log.ts'
import { explainFileError, explainStart, LOCK_HELD } from './start-failure.ts'

/** Starts embedded ClickHouse in a child process, for installations without an external ClickHouse. */
export interface EmbeddedClickHouse {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly pid: number
  /** Resolves with a message when ClickHouse exits without `stop`. */
  readonly crashed: Promise<string>
  stop(): Promise<void>
}

export interface EmbeddedClickHouseOptions {
  /** Data directory; created if absent. Only one process can use it at a time. */
  readonly directory: string
  readonly readyTimeoutMs?: number
  /** Called if other users of the machine can read something in the directory. */
  readonly warn?: (message: string) => void
  /** Called for each error that ClickHouse logs, other than those of queries. */
  readonly onServerError?: (error: ServerError) => void
  readonly s3Disks?: S3Disks
}

const USERNAME = 'heddle'

/** Throws if another process uses the directory, or another user owns it. Nothing in it has been changed then. */
export async function startEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> {
  const directory = resolve(options.directory)
  const timeoutMs = options.readyTimeoutMs ?? 30_000
  await refuseOtherOwner(directory)
  await createPrivateDirectory(directory)
  const child = spawnChild(join(directory, 'lock'))
  const pid = child.pid ?? 0
  const output = collectOutput(child)
  if (options.onServerError !== undefined) child.stderr?.on('data', readServerErrors(options.onServerError))
  let stopping = false
  const exited = waitForExit(child)
  const stop = async (): Promise<void> => {
    stopping = true
    child.stdin?.end()
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killer)
    await removeRunning(directory, pid)
  }
  const httpPort = await freePort()
  const url = `http://127.0.0.1:${httpPort}`
  const s3Disks = options.s3Disks ?? {}
  const waitUntil = async (condition: () => Promise<boolean>): Promise<void> => {
    const exit = await waitUntilTrue(condition, exited, timeoutMs)
    if (exit === READY) return
    const text = output().replace(LOCKED_MESSAGE, '')
    throw await explainStart({ directory, s3Disks, exit, waitedMs: timeoutMs, output: text })
  }
  // A new password at each start: other local users can reach the port, but not the data.
  const user = { username: USERNAME, password: randomBytes(24).toString('base64url') }
  try {
    await waitUntil(async () => output().includes(LOCKED_MESSAGE))
    await restrictToOwner(directory, options.warn ?? (() => {}))
    const start = await writeFiles(directory, httpPort, user, s3Disks)
    child.stdin?.write(`${JSON.stringify(start)}\n`)
    // After a failed start the process may still be running, so only an HTTP response counts.
    await waitUntil(() => isResponding(`${url}/ping`))
    // In this mode ClickHouse's function `file` reads any file of the machine without a grant. It resolves the working
    // directory first, though, and fails if there is none (test/db/sql-confinement.test.ts).
    await rmdir(start.workingDirectory)
    await recordRunning(directory, { url, ...user, pid })
  } catch (error) {
    await stop()
    throw await explainFileError(error, directory)
  }
  return {
    url,
    ...user,
    pid,
    crashed: exited.then((exit) =>
      stopping
        ? new Promise<string>(() => {})
        : `embedded ClickHouse exited (${exit})\n${output().slice(-MAX_CRASH_CHARACTERS).trim()}`,
    ),
    stop,
  }
}

/** Creates the directories and configuration files of ClickHouse; the directory must be locked. */
async function writeFiles(
  directory: string,
  httpPort: number,
  user: ServerUser,
  s3Disks: S3Disks,
): Promise<StartMessage> {
  const data = join(directory, 'clickhouse')
  const temporaryPath = join(directory, 'tmp')
  const workingDirectory = join(directory, 'cwd')
  // A start that was killed leaves it behind.
  await rm(workingDirectory, { recursive: true, force: true })
  for (const path of [data, temporaryPath, workingDirectory]) await createPrivateDirectory(path)
  const configFile = join(directory, 'clickhouse.xml')
  const usersFile = join(directory, 'clickhouse-users.xml')
  const listenFile = join(directory, 'clickhouse-listen.sql')
  const write = (file: string, text: string): Promise<void> => writeFile(file, text, { mode: 0o600 })
  await write(configFile, configXml({ httpPort, usersFile, temporaryPath, user, s3Disks }))
  await write(usersFile, usersXml(user))
  await write(listenFile, LISTEN_STATEMENT)
  return { data, configFile, listenFile, workingDirectory }
}

function spawnChild(lockFile: string): ChildProcess {
  // From source the child is TypeScript and needs the tsx loader.
  const compiled = fileURLToPath(new URL('./child.js', import.meta.url))
  const script = existsSync(compiled) ? compiled : fileURLToPath(new URL('./child.ts', import.meta.url))
  const loader = script.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  return spawn(process.execPath, [...loader, script, lockFile], { cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
}

/** An error of a table has the whole schema in it, after the cause. */
const MAX_OUTPUT_CHARACTERS = 200_000
const MAX_CRASH_CHARACTERS = 4_000

/** Keeps the last output of ClickHouse, to explain a failed start. */
function collectOutput(child: ChildProcess): () => string {
  let tail = ''
  const keep = (chunk: Buffer): void => {
    tail = (tail + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.stdin?.on('error', () => {})
  return () => tail
}

/** A process that forked holds the pipes of its parent. */
const OUTPUT_WAIT_MS = 1_000

/** Resolves when the process has exited, and its last output was read. */
function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((resolveExit) => {
    child.once('exit', (code, signal) => {
      const end = (): void =>
        resolveExit(code === LOCK_HELD_EXIT_CODE ? LOCK_HELD : (signal ?? `code ${code}`))
      child.once('close', end)
      setTimeout(end, OUTPUT_WAIT_MS).unref()
    })
  })
}

const READY = Symbol('ready')

/** Returns how the process exited instead; undefined after the time. */
async function waitUntilTrue(
  condition: () => Promise<boolean>,
  exited: Promise<string>,
  timeoutMs: number,
): Promise<string | typeof READY | undefined> {
  const deadline = Date.now() + timeoutMs
  let exit: string | undefined
  void exited.then((each) => (exit = each))
  while (Date.now() < deadline) {
    if (exit !== undefined) return exit
    if (await condition()) return READY
    await new Promise((wait) => setTimeout(wait, 25))
  }
  return undefined
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
