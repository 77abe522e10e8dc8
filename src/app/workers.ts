import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { Backoff } from '../core/concurrency/backoff.ts'
import { createDeps } from './deps.ts'
import { prepareCredentials } from './first-start.ts'
import type { Heddle } from './heddle.ts'
import type { Settings } from './settings.ts'
import { attachedSettings, openStorage } from './storage.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { isFromWorker, type ToWorker } from './worker-messages.ts'

/**
 * Runs several worker processes on one port, to use more than one core. The primary process owns embedded ClickHouse,
 * runs the migrations, creates the first user and restarts workers that crash; the workers serve requests. Workers end
 * when the primary is gone, even after kill -9.
 */
export type RunningServer = Pick<
  Heddle,
  'url' | 'grpcUrl' | 'credentials' | 'clickhouseCrashed' | 'setDraining' | 'stop'
>

/** Exponential backoff for restarting workers that keep crashing. */
const BACKOFF = { firstMs: 100, maxMs: 5_000 }
/** A worker that ran this long did not crash at its start, so the backoff is reset. */
const STABLE_AFTER_MS = 60_000

export async function startWorkers(settings: Settings, log: Logger): Promise<RunningServer> {
  const storage = await openStorage(settings, log)
  try {
    // Fails at the start rather than with the first large request of a worker.
    await temporaryDirectory(settings)
    const credentials = await prepareCredentials(createDeps(storage.db, settings), settings)
    const pool = new WorkerPool(attachedSettings(settings, storage), log)
    const urls = await pool.start()
    return {
      ...urls,
      credentials,
      clickhouseCrashed: storage.clickhouse?.crashed ?? new Promise<string>(() => {}),
      setDraining: () => pool.broadcast({ kind: 'drain' }),
      stop: async () => {
        await pool.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

type ServerUrls = Pick<Heddle, 'url' | 'grpcUrl'>

class WorkerPool {
  readonly #settings: Settings
  readonly #log: Logger
  readonly #workers = new Set<Worker>()
  readonly #ready = new Set<Worker>()
  readonly #metrics = new AggregatorRegistry()
  readonly #restarts = new Set<NodeJS.Timeout>()
  readonly #backoff = new Backoff(BACKOFF)
  #isStopping = false

  constructor(settings: Settings, log: Logger) {
    // Workers accept connections from the kernel. With Node's default (the primary hands them on), a connection in
    // transit to a worker that crashes is never closed, and its client waits forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    this.#settings = settings
    this.#log = log
  }

  /** Returns the common URLs once all workers are ready. Fails if any worker fails to start. */
  async start(): Promise<ServerUrls> {
    try {
      const urls = await Promise.all(Array.from({ length: this.#settings.workers }, () => this.#fork()))
      return urls[0]!
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  broadcast(message: ToWorker): void {
    for (const worker of this.#workers) if (worker.isConnected()) worker.send(message)
  }

  /** Resolves when all workers have exited. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const restart of this.#restarts) clearTimeout(restart)
    const gone = [...this.#workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    this.broadcast({ kind: 'stop' })
    // A worker that is still starting may miss the message, and has no requests to finish.
    for (const worker of this.#workers) if (!this.#ready.has(worker)) worker.process.kill('SIGKILL')
    await Promise.all(gone)
  }

  #fork(): Promise<ServerUrls> {
    const worker = cluster.fork()
    const startedAt = performance.now()
    this.#workers.add(worker)
    worker.on('error', (error) =>
      this.#log.warn({ err: error, worker_pid: worker.process.pid }, 'a worker failed'),
    )
    return new Promise((ready, fail) => {
      worker.on('message', (message: unknown) => {
        if (!isFromWorker(message)) return
        if (message.kind === 'hello')
          worker.send({ kind: 'start', settings: this.#settings } satisfies ToWorker)
        else if (message.kind === 'ready') {
          this.#ready.add(worker)
          ready({ url: message.url, grpcUrl: message.grpcUrl })
        } else if (message.kind === 'failed') fail(Object.assign(new Error(message.message), message))
        else void this.#sendMetrics(worker, message.id)
      })
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker)
        this.#ready.delete(worker)
        fail(new Error(`a worker exited before it was ready (${signal ?? `code ${code}`})`))
        if (performance.now() - startedAt > STABLE_AFTER_MS) this.#backoff.reset()
        this.#restart(worker, signal ?? code)
      })
    })
  }

  #restart(worker: Worker, exit: string | number): void {
    if (this.#isStopping) return
    const waitMs = this.#backoff.nextMs()
    this.#log.error(
      { worker_pid: worker.process.pid, exit, wait_ms: waitMs },
      'a worker crashed and is being restarted',
    )
    const restart = setTimeout(() => {
      this.#restarts.delete(restart)
      // A worker that fails to start exits, and is restarted after a longer wait.
      this.#fork().catch((error: unknown) => this.#log.error({ err: error }, 'a worker failed to start'))
    }, waitMs)
    this.#restarts.add(restart)
  }

  /** Sends the aggregated metrics; without a text on a timeout, and the worker then reports its own. */
  async #sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await this.#metrics.clusterMetrics().catch(() => undefined)
    if (worker.isConnected()) worker.send({ kind: 'metrics', id, text } satisfies ToWorker)
  }
}
