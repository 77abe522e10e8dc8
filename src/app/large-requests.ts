import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Deps } from '../service/deps.ts'
import { isPrettyLog } from './log.ts'
import type { Settings } from './settings.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/**
 * Runs the thread that executes large requests, so that they do not block the event loop of the main thread. It is
 * started with the first large request, and again after a crash. It reads its requests from a socket in a directory
 * that only this user can open; see src/http/large-requests.ts.
 */
export interface LargeRequestThreadData {
  readonly settings: Settings
  readonly socketPath: string
}

/** What a project has sent in a large request: the main thread has the metrics. */
export type ThreadMessage =
  | { readonly load: Parameters<Deps['projectLoad']['add']> }
  /** Values that the thread has replaced. */
  | { readonly redacted: number }

function isThreadMessage(message: unknown): message is ThreadMessage {
  return typeof message === 'object' && message !== null && ('load' in message || 'redacted' in message)
}

type Counters = Pick<Deps, 'projectLoad' | 'redactor'>

/** Time for the thread to close its connections to ClickHouse. */
const STOP_TIMEOUT_MS = 5_000

const isSource = import.meta.url.endsWith('.ts')
const ENTRY = new URL(`./large-request-thread.${isSource ? 'ts' : 'js'}`, import.meta.url)

function startThread(workerData: LargeRequestThreadData): Worker {
  if (!isSource) return new Worker(ENTRY, { workerData })
  // A thread does not inherit the TypeScript loader of its process.
  const load = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import('${ENTRY.href}'))`
  return new Worker(load, { eval: true, workerData })
}

interface RunningThread {
  readonly worker: Worker
  readonly socketPath: string
  readonly exited: Promise<void>
}

export class LargeRequestThread {
  readonly #settings: Settings
  readonly #log: Logger
  readonly #counters: Counters
  #thread: Promise<RunningThread> | undefined

  /** ClickHouse must be running, and the database prepared. */
  constructor(settings: Settings, log: Logger, counters: Counters) {
    const logFormat = isPrettyLog(settings) ? 'pretty' : 'json'
    // The main thread logs every request.
    const logLevel = ['trace', 'debug', 'info'].includes(settings.logLevel) ? 'warn' : settings.logLevel
    this.#settings = { ...settings, logFormat, logLevel }
    this.#log = log
    this.#counters = counters
  }

  /** The path of the socket, when the thread accepts requests. */
  async socketPath(): Promise<string> {
    const { worker, socketPath } = await (this.#thread ??= this.#start())
    if (existsSync(socketPath)) return socketPath
    // Something cleans the directory of temporary files. The old thread finishes its requests.
    worker.postMessage('stop', [])
    this.#thread = undefined
    return this.socketPath()
  }

  async stop(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    if (thread === undefined) return
    thread.worker.postMessage('stop', [])
    const timeout = setTimeout(() => void thread.worker.terminate(), STOP_TIMEOUT_MS)
    await thread.exited
    clearTimeout(timeout)
  }

  #start(): Promise<RunningThread> {
    const started = this.#startThread(() => {
      if (this.#thread === started) this.#thread = undefined
    })
    return started
  }

  #count(message: ThreadMessage): void {
    const { projectLoad, redactor } = this.#counters
    if ('load' in message) projectLoad.add(...message.load)
    else redactor?.count(message.redacted)
  }

  async #createDirectory(): Promise<string> {
    return mkdtemp(join(await temporaryDirectory(this.#settings), 'heddle-'))
  }

  async #startThread(onExit: () => void): Promise<RunningThread> {
    const directory = await this.#createDirectory().catch((error: unknown) => {
      onExit()
      throw error
    })
    const socketPath = join(directory, 'large-requests')
    const worker = startThread({ settings: this.#settings, socketPath })
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        onExit()
        if (code !== 0) this.#log.error({ code }, 'the thread for large requests has crashed')
        void rm(directory, { recursive: true, force: true }).finally(resolve)
      })
    })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', (error) => {
        this.#log.error({ err: error }, 'the thread for large requests failed')
        reject(error)
      })
      worker.once('exit', () => reject(new Error('the thread for large requests ended while starting')))
    })
    worker.on('message', (message: unknown) => {
      if (isThreadMessage(message)) this.#count(message)
    })
    return { worker, socketPath, exited }
  }
}
