import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** `heddle serve` as a child process, for suites that stop, restart or kill it. */
export interface ServerProcess {
  readonly url: string
  /** Of OTLP/gRPC, with HEDDLE_OTLP_GRPC_PORT in the environment. */
  readonly grpcUrl: string | undefined
  readonly process: ChildProcess
  /** Sends SIGTERM and waits for the process to exit. */
  stop(): Promise<void>
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<void>
}

export interface ServerProcessOptions {
  readonly data: string
  readonly port?: number
  readonly adminPassword: string
  /** An API key for the admin, for suites where hashing a password (0.3 s, once) would disturb. */
  readonly apiKey?: string
  /** An external ClickHouse to use instead of the embedded one. */
  readonly clickhouseUrl?: string
  /** Log file; it gets the reason of every 5xx response. Without one, only fatal errors are logged. */
  readonly logFile?: string
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** The command that runs the server; `HEDDLE` by default. */
  readonly command?: readonly string[]
}

/**
 * For suites that test no limits: other work on the machine may slow a read, and who waits for it, more than any setting
 * meant for users allows.
 */
export const PATIENT_READS = { HEDDLE_READ_WAIT_MS: '60000' }

/**
 * `heddle`, from source. `.ci/run` sets HEDDLE_TEST_BUILT and runs what it has built: a start and a stop take 3.5 s of processor
 * time instead of 6.2.
 */
export const HEDDLE: readonly string[] =
  process.env['HEDDLE_TEST_BUILT'] === '1' && existsSync('dist/main.js')
    ? [process.execPath, 'dist/main.js']
    : [process.execPath, '--import', 'tsx', 'src/main.ts']

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const [command = '', ...args] = options.command ?? HEDDLE
  const server = spawn(command, [...args, 'serve', '--port', String(options.port ?? 0)], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', options.logFile === undefined ? 'inherit' : openSync(options.logFile, 'a')],
    env: {
      ...process.env,
      HEDDLE_INIT_ADMIN_PASSWORD: options.adminPassword,
      ...(options.apiKey === undefined ? {} : { HEDDLE_INIT_API_KEY: options.apiKey }),
      HEDDLE_DATA: options.data,
      // Set in the environment, not as `--data`: that option selects the embedded ClickHouse whatever the URL.
      HEDDLE_CLICKHOUSE_URL: options.clickhouseUrl ?? '',
      HEDDLE_OTLP_GRPC_PORT: 'off',
      // Nothing cuts the power, and waiting for the disk takes half of the time of most suites.
      HEDDLE_DURABILITY: 'process',
      HEDDLE_LOG_LEVEL: options.logFile === undefined ? 'fatal' : 'error',
      ...options.environment,
    },
  })
  // Stops the server when the test run is interrupted.
  const endWithUs = (): void => void server.kill('SIGTERM')
  process.once('exit', endWithUs)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.removeListener('exit', endWithUs)
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }
  try {
    const urls = await readyUrls(server)
    return { ...urls, process: server, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

/** Waits for the line that the server prints when it accepts requests; returns its URLs. */
async function readyUrls(server: ChildProcess): Promise<Pick<ServerProcess, 'url' | 'grpcUrl'>> {
  if (server.stdout === null) throw new Error('the server has no standard output')
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url, grpcUrl] = /ready at (http\S+)(?: \(OTLP\/gRPC at (http[^\s)]+)\))?/.exec(line) ?? []
    if (url !== undefined) {
      // Drains the rest of the output: a full pipe would block the server.
      server.stdout.resume()
      return { url, grpcUrl }
    }
  }
  throw new Error('the server exited before it was ready')
}
