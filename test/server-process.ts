import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** `heddle serve` as a process of its own, for suites that stop, restart or kill it. */
export interface ServerProcess {
  readonly url: string
  readonly process: ChildProcess
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>
}

export interface ServerProcessOptions {
  readonly data: string
  readonly port?: number
  readonly adminPassword: string
  /** A key of the admin's, where checking a password (0.3 s, once) would be in the way. */
  readonly apiKey?: string
  /** A ClickHouse to use instead of the built-in engine. */
  readonly clickhouseUrl?: string
  /** A file for its log, with the reason of every answer of 500 and above; without one it says next to nothing. */
  readonly logFile?: string
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** What runs the server; the sources by default. */
  readonly command?: readonly string[]
}

const FROM_SOURCE = [process.execPath, '--import', 'tsx', 'src/main.ts'] as const

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const [command = '', ...args] = options.command ?? FROM_SOURCE
  const server = spawn(command, [...args, 'serve', '--port', String(options.port ?? 0)], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', options.logFile === undefined ? 'inherit' : openSync(options.logFile, 'a')],
    env: {
      ...process.env,
      HEDDLE_INIT_ADMIN_PASSWORD: options.adminPassword,
      ...(options.apiKey === undefined ? {} : { HEDDLE_INIT_API_KEY: options.apiKey }),
      HEDDLE_DATA: options.data,
      // The environment, not `--data`: that option asks for the built-in engine whatever the URL.
      HEDDLE_CLICKHOUSE_URL: options.clickhouseUrl ?? '',
      HEDDLE_LOG_LEVEL: options.logFile === undefined ? 'fatal' : 'error',
      ...options.environment,
    },
  })
  // An interrupted run leaves no server behind.
  const endWithUs = (): void => void server.kill('SIGTERM')
  process.once('exit', endWithUs)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.removeListener('exit', endWithUs)
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }
  try {
    const url = await readyUrl(server)
    return { url, process: server, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

/** The URL that it prints once it answers. */
async function readyUrl(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('the server has no standard output')
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /ready at (http\S+)/.exec(line)?.[1]
    if (url !== undefined) {
      // What it prints from now on is not needed, and a full pipe would stop it.
      server.stdout.resume()
      return url
    }
  }
  throw new Error('the server ended before it was ready')
}
