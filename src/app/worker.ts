import { AggregatorRegistry } from 'prom-client'
import { MAIN_THREAD_WRITER } from '../http/large-requests.ts'
import { createDeps } from './deps.ts'
import { type Heddle, serveStorage } from './heddle.ts'
import { LargeRequestThread } from './large-requests.ts'
import { createLog } from './log.ts'
import type { Settings } from './settings.ts'
import { attachStorage } from './storage.ts'
import { type FromWorker, isToWorker } from './worker-messages.ts'

/**
 * One worker process of a multi-process server (workers.ts). It ignores signals, which the terminal sends to the whole
 * process group; the primary process tells it when to stop. Node ends it when the primary is gone.
 */
export async function runWorker(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const metrics = new ClusterMetrics()
  let heddle: Heddle | undefined
  const stopped = new Promise<void>((stop) => {
    process.on('message', (message: unknown) => {
      if (!isToWorker(message)) return
      if (message.kind === 'metrics') metrics.resolve(message.id, message.text)
      else if (message.kind === 'drain') heddle?.setDraining()
      else if (message.kind === 'stop') stop()
    })
  })
  const started = new Promise<Settings>((resolve) => {
    process.on('message', (message: unknown) => {
      if (isToWorker(message) && message.kind === 'start') resolve(message.settings)
    })
  })
  send({ kind: 'hello' })
  const settings = await started
  try {
    const log = createLog(settings)
    const storage = attachStorage(settings, log)
    const deps = createDeps(storage.db, settings, MAIN_THREAD_WRITER)
    heddle = await serveStorage(storage, settings, log, {
      deps,
      credentials: undefined,
      allMetrics: () => metrics.request(),
      largeRequestThread: new LargeRequestThread(settings, log, deps),
    })
  } catch (error) {
    const { message, code, port } = error as NodeJS.ErrnoException & { port?: number }
    send({
      kind: 'failed',
      message,
      ...(code === undefined ? {} : { code }),
      ...(port === undefined ? {} : { port }),
    })
    // The primary process reports the error once for all workers.
    return
  }
  // Answers the primary process when it aggregates metrics.
  AggregatorRegistry.setRegistries(heddle.registry)
  void new AggregatorRegistry()
  send({ kind: 'ready', url: heddle.url, grpcUrl: heddle.grpcUrl })
  await stopped
  heddle.setDraining()
  await heddle.stop()
}

function send(message: FromWorker): void {
  process.send?.(message)
}

/** Timeout of the aggregation over all workers. */
const METRICS_TIMEOUT_MS = 2_000

/** Requests the metrics of all workers from the primary process, which aggregates them. */
class ClusterMetrics {
  readonly #asked = new Map<number, (text: string | undefined) => void>()
  #last = 0

  /** Resolves with undefined on a timeout. */
  request(): Promise<string | undefined> {
    const id = ++this.#last
    return new Promise((resolve) => {
      const finish = (text: string | undefined): void => {
        clearTimeout(timer)
        this.#asked.delete(id)
        resolve(text)
      }
      const timer = setTimeout(() => finish(undefined), METRICS_TIMEOUT_MS)
      this.#asked.set(id, finish)
      send({ kind: 'metrics', id })
    })
  }

  resolve(id: number, text: string | undefined): void {
    this.#asked.get(id)?.(text)
  }
}
