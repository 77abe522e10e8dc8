import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineConfigXml, engineUsersXml, LISTEN } from './config.ts'
import { isAnswering } from './ping.ts'
import { forgetRunning, noteRunning } from './running.ts'

/** A ClickHouse of our own, in a child process, for those who bring none. */
export interface Engine {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly pid: number
  /** Resolves with a sentence when the engine ends without having been asked to. */
  readonly died: Promise<string>
  stop(): Promise<void>
}

export interface EngineOptions {
  /** Where the data lives; made if absent. One engine at a time can hold it. */
  readonly directory: string
  readonly readyTimeoutMs?: number
}

const USERNAME = 'heddle'

export async function startEmbeddedClickHouse(options: EngineOptions): Promise<Engine> {
  const directory = resolve(options.directory)
  const data = join(directory, 'clickhouse')
  const temporaryPath = join(directory, 'tmp')
  // The data is the owner's alone.
  await mkdir(data, { recursive: true, mode: 0o700 })
  await mkdir(temporaryPath, { recursive: true, mode: 0o700 })
  const httpPort = await freePort()
  // A new password at each start: whoever else is on this machine can reach the port, but not the data.
  const password = randomBytes(24).toString('base64url')
  const configFile = join(directory, 'engine.xml')
  const usersFile = join(directory, 'engine-users.xml')
  await writeFile(configFile, engineConfigXml({ httpPort, usersFile, temporaryPath }), { mode: 0o600 })
  await writeFile(usersFile, engineUsersXml({ username: USERNAME, password }), { mode: 0o600 })
  const listenFile = join(directory, 'engine.sql')
  await writeFile(listenFile, LISTEN, { mode: 0o600 })
  const nowhere = await mkdtemp(join(directory, 'nowhere-'))
  const child = spawnChild([data, configFile, listenFile], nowhere)
  const pid = child.pid ?? 0
  const output = collectOutput(child)
  let stopping = false
  const exited = new Promise<string>((settle) => {
    child.once('exit', (code, signal) =>
      settle(`the engine ended (${signal ?? `code ${code}`})\n${output()}`),
    )
  })
  const url = `http://127.0.0.1:${httpPort}`
  const stop = async (): Promise<void> => {
    stopping = true
    child.stdin?.end()
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killer)
    await forgetRunning(directory, pid)
  }
  try {
    await untilAnswering(url, exited, options.readyTimeoutMs ?? 30_000)
    // In this mode the engine takes every file of this machine for one of its user's, and its function `file` asks for
    // no grant. It asks for the working directory, though: without one it reads nothing (test/db/sql-confinement).
    await rmdir(nowhere)
    await noteRunning(directory, { url, username: USERNAME, password, pid })
  } catch (error) {
    await stop()
    await rm(nowhere, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    username: USERNAME,
    password,
    pid,
    died: exited.then((sentence) => (stopping ? new Promise<string>(() => {}) : sentence)),
    stop,
  }
}

function spawnChild(args: readonly string[], cwd: string): ChildProcess {
  // From source the child is TypeScript and needs the same loader as this process.
  const compiled = fileURLToPath(new URL('./child.js', import.meta.url))
  const script = existsSync(compiled) ? compiled : fileURLToPath(new URL('./child.ts', import.meta.url))
  const loader = script.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  return spawn(process.execPath, [...loader, script, ...args], { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Keeps the last lines the engine wrote, to explain a failed start. */
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

/** A failed start can still look like a running process, so only an answer counts. */
async function untilAnswering(url: string, exited: Promise<string>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let ended: string | undefined
  void exited.then((sentence) => (ended = sentence))
  while (Date.now() < deadline) {
    if (ended !== undefined) throw new Error(explain(ended))
    if (await isAnswering(`${url}/ping`)) return
    await new Promise((wait) => setTimeout(wait, 25))
  }
  throw new Error(`the engine did not answer within ${timeoutMs} ms`)
}

function explain(ended: string): string {
  if (/Cannot lock file/i.test(ended)) return 'another Heddle uses this data directory; stop it first'
  if (/ffi-rs|chdb/.test(ended) && /not found|Cannot find/i.test(ended)) {
    return 'the built-in engine is not installed (optional dependencies chdb and ffi-rs): install them, or set HEDDLE_CLICKHOUSE_URL'
  }
  return ended
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => settle(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
