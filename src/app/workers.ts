import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { createDeps } from './deps.ts'
import { prepareSignIn } from './first-start.ts'
import type { Heddle } from './heddle.ts'
import type { Settings } from './settings.ts'
import { openStorage, type Storage } from './storage.ts'
import { isFromWorker, type ToWorker } from './worker-messages.ts'

/**
 * Several processes behind one port, for machines with more cores than one process can use. The first one owns the
 * engine, the migrations and the first sign-in, and starts a worker again that dies; the workers answer. They end by
 * themselves when the first one is gone, however it went.
 */
export type Serving = Pick<Heddle, 'url' | 'credentials' | 'engineDied' | 'setDraining' | 'stop'>

/** A worker that dies again and again is started ever more slowly. */
const BACK_OFF_MS = { first: 100, most: 5_000 } as const
/** One that lived this long has not died of its start. */
const SOUND_MS = 60_000

export async function startWorkers(settings: Settings, log: Logger): Promise<Serving> {
  const storage = await openStorage(settings, log)
  try {
    const credentials = await prepareSignIn(createDeps(storage.db, settings), settings)
    const crew = new Crew(workerSettings(settings, storage), log)
    const url = await crew.start()
    return {
      url,
      credentials,
      engineDied: storage.engine?.died ?? new Promise<string>(() => {}),
      setDraining: () => crew.tell({ kind: 'drain' }),
      stop: async () => {
        await crew.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** For whom everything is prepared: the engine is there, whoever started it, and nobody needs to be made. */
function workerSettings(settings: Settings, { engine }: Storage): Settings {
  return {
    ...settings,
    ...(engine === undefined
      ? {}
      : {
          clickhouseUrl: engine.url,
          clickhouseUser: engine.username,
          clickhousePassword: engine.password,
        }),
    initAdminPassword: undefined,
    initApiKey: undefined,
  }
}

class Crew {
  readonly #settings: Settings
  readonly #log: Logger
  readonly #workers = new Set<Worker>()
  readonly #ready = new Set<Worker>()
  readonly #metrics = new AggregatorRegistry()
  readonly #restarts = new Set<NodeJS.Timeout>()
  #backOffMs: number = BACK_OFF_MS.first
  #isStopping = false

  constructor(settings: Settings, log: Logger) {
    // Workers take connections from the kernel. Handed on by the first process, as is usual, those that are on their way
    // to a worker when it dies would be closed by nobody, and their clients would wait for ever.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    this.#settings = settings
    this.#log = log
  }

  /** The URL they all answer at, once all of them do. If one cannot, nor could the others. */
  async start(): Promise<string> {
    try {
      const urls = await Promise.all(Array.from({ length: this.#settings.workers }, () => this.#fork()))
      return urls[0] ?? ''
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  tell(message: ToWorker): void {
    for (const worker of this.#workers) if (worker.isConnected()) worker.send(message)
  }

  /** Resolves when all are gone. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const restart of this.#restarts) clearTimeout(restart)
    const gone = [...this.#workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    this.tell({ kind: 'stop' })
    // One that is still starting might not hear it, and has nothing to finish.
    for (const worker of this.#workers) if (!this.#ready.has(worker)) worker.process.kill('SIGKILL')
    await Promise.all(gone)
  }

  #fork(): Promise<string> {
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
          ready(message.url)
        } else if (message.kind === 'failed') fail(Object.assign(new Error(message.message), message))
        else void this.#answerMetrics(worker, message.id)
      })
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker)
        this.#ready.delete(worker)
        fail(new Error(`a worker ended before it was ready (${signal ?? `code ${code}`})`))
        if (performance.now() - startedAt > SOUND_MS) this.#backOffMs = BACK_OFF_MS.first
        this.#startAgain(worker, signal ?? code)
      })
    })
  }

  #startAgain(worker: Worker, end: string | number): void {
    if (this.#isStopping) return
    const waitMs = this.#backOffMs
    this.#backOffMs = Math.min(waitMs * 2, BACK_OFF_MS.most)
    this.#log.error(
      { worker_pid: worker.process.pid, end, wait_ms: waitMs },
      'a worker died and is started again',
    )
    const restart = setTimeout(() => {
      this.#restarts.delete(restart)
      // If it fails it ends, and is started again after a longer wait.
      this.#fork().catch((error: unknown) => this.#log.error({ err: error }, 'a worker did not start'))
    }, waitMs)
    this.#restarts.add(restart)
  }

  /** The sum over all workers; without a text, if one of them did not answer in time, the asker tells its own. */
  async #answerMetrics(worker: Worker, id: number): Promise<void> {
    const text = await this.#metrics.clusterMetrics().catch(() => undefined)
    if (worker.isConnected()) worker.send({ kind: 'metrics', id, text } satisfies ToWorker)
  }
}
