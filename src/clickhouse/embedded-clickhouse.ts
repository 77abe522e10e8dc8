import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configXml, usersXml, LISTEN_STATEMENT } from './config.ts'
import { isResponding } from './ping.ts'
import { removeRunning, recordRunning } from './running.ts'

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
}

const USERNAME = 'heddle'

export async function startEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> {
  const directory = resolve(options.directory)
  const data = join(directory, 'clickhouse')
  const temporaryPath = join(directory, 'tmp')
  // Only the owner may read the data.
  await mkdir(data, { recursive: true, mode: 0o700 })
  await mkdir(temporaryPath, { recursive: true, mode: 0o700 })
  const httpPort = await freePort()
  // A new password at each start: other local users can reach the port, but not the data.
  const password = randomBytes(24).toString('base64url')
  const configFile = join(directory, 'clickhouse.xml')
  const usersFile = join(directory, 'clickhouse-users.xml')
  await writeFile(configFile, configXml({ httpPort, usersFile, temporaryPath }), { mode: 0o600 })
  await writeFile(usersFile, usersXml({ username: USERNAME, password }), { mode: 0o600 })
  const listenFile = join(directory, 'clickhouse-listen.sql')
  await writeFile(listenFile, LISTEN_STATEMENT, { mode: 0o600 })
  const workingDirectory = await mkdtemp(join(directory, 'cwd-'))
  const child = spawnChild([data, configFile, listenFile], workingDirectory)
  const pid = child.pid ?? 0
  const output = collectOutput(child)
  let stopping = false
  const exited = new Promise<string>((resolveExit) => {
    child.once('exit', (code, signal) =>
      resolveExit(`embedded ClickHouse exited (${signal ?? `code ${code}`})\n${output()}`),
    )
  })
  const url = `http://127.0.0.1:${httpPort}`
  const stop = async (): Promise<void> => {
    stopping = true
    child.stdin?.end()
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killer)
    await removeRunning(directory, pid)
  }
  try {
    await waitUntilResponding(url, exited, options.readyTimeoutMs ?? 30_000)
    // In this mode ClickHouse's function `file` reads any file of the machine without a grant. It resolves the working
    // directory first, though, and fails if there is none (test/db/sql-confinement).
    await rmdir(workingDirectory)
    await recordRunning(directory, { url, username: USERNAME, password, pid })
  } catch (error) {
    await stop()
    await rm(workingDirectory, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    username: USERNAME,
    password,
    pid,
    crashed: exited.then((message) => (stopping ? new Promise<string>(() => {}) : message)),
    stop,
  }
}

function spawnChild(args: readonly string[], cwd: string): ChildProcess {
  // From source the child is TypeScript and needs the tsx loader.
  const compiled = fileURLToPath(new URL('./child.js', import.meta.url))
  const script = existsSync(compiled) ? compiled : fileURLToPath(new URL('./child.ts', import.meta.url))
  const loader = script.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  return spawn(process.execPath, [...loader, script, ...args], { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Keeps the last output of ClickHouse, to explain a failed start. */
function collectOutput(child: ChildProcess): () => string {
  let tail = ''
  const keep = (chunk: Buffer): void => {
    tail = (tail + chunk.toString('utf8')).slice(-4_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.stdin?.on('error', () => {})
  return () => tail.trim()
}

/** After a failed start the process may still be running, so only an HTTP response counts. */
async function waitUntilResponding(url: string, exited: Promise<string>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let exitMessage: string | undefined
  void exited.then((message) => (exitMessage = message))
  while (Date.now() < deadline) {
    if (exitMessage !== undefined) throw new Error(explain(exitMessage))
    if (await isResponding(`${url}/ping`)) return
    await new Promise((wait) => setTimeout(wait, 25))
  }
  throw new Error(`embedded ClickHouse did not respond within ${timeoutMs} ms`)
}

function explain(exitMessage: string): string {
  if (/Cannot lock file/i.test(exitMessage))
    return 'another Heddle server uses this data directory; stop it first'
  if (/ffi-rs|chdb/.test(exitMessage) && /not found|Cannot find/i.test(exitMessage)) {
    return 'embedded ClickHouse is not installed: install the optional dependencies chdb and ffi-rs, or set HEDDLE_CLICKHOUSE_URL'
  }
  return exitMessage
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
