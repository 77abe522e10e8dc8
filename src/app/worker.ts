import { AggregatorRegistry } from 'prom-client'
import { createDeps } from './deps.ts'
import { createLog, type Heddle, serveOn } from './heddle.ts'
import type { Settings } from './settings.ts'
import { attachStorage } from './storage.ts'
import { type FromWorker, isToWorker } from './worker-messages.ts'

/**
 * One of several processes that answer (workers.ts). It takes its orders from the first process alone: signals go to
 * the whole group, and it is for the first one to say when to end. If that one is gone, Node ends this one.
 */
export async function runWorker(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const metrics = new CrewMetrics()
  let heddle: Heddle | undefined
  const stopped = new Promise<void>((stop) => {
    process.on('message', (message: unknown) => {
      if (!isToWorker(message)) return
      if (message.kind === 'metrics') metrics.answered(message.id, message.text)
      else if (message.kind === 'drain') heddle?.setDraining()
      else if (message.kind === 'stop') stop()
    })
  })
  const started = new Promise<Settings>((resolve) => {
    process.on('message', (message: unknown) => {
      if (isToWorker(message) && message.kind === 'start') resolve(message.settings)
    })
  })
  tell({ kind: 'hello' })
  const settings = await started
  try {
    const log = createLog(settings)
    const storage = attachStorage(settings, log)
    heddle = await serveOn(storage, settings, log, {
      deps: createDeps(storage.db, settings),
      credentials: undefined,
      allMetrics: () => metrics.ask(),
    })
  } catch (error) {
    const { message, code, port } = error as NodeJS.ErrnoException & { port?: number }
    tell({
      kind: 'failed',
      message,
      ...(code === undefined ? {} : { code }),
      ...(port === undefined ? {} : { port }),
    })
    // The first process says so, once for all of them.
    return
  }
  // Answers the first process when that sums up.
  AggregatorRegistry.setRegistries(heddle.registry)
  void new AggregatorRegistry()
  tell({ kind: 'ready', url: heddle.url })
  await stopped
  heddle.setDraining()
  await heddle.stop()
}

function tell(message: FromWorker): void {
  process.send?.(message)
}

/** How long the sum over all workers may take. */
const METRICS_MS = 2_000

/** Metrics of all workers, which the first process sums up. */
class CrewMetrics {
  readonly #asked = new Map<number, (text: string | undefined) => void>()
  #last = 0

  /** Undefined if there was no answer in time. */
  ask(): Promise<string | undefined> {
    const id = ++this.#last
    return new Promise((resolve) => {
      const settle = (text: string | undefined): void => {
        clearTimeout(timer)
        this.#asked.delete(id)
        resolve(text)
      }
      const timer = setTimeout(() => settle(undefined), METRICS_MS)
      this.#asked.set(id, settle)
      tell({ kind: 'metrics', id })
    })
  }

  answered(id: number, text: string | undefined): void {
    this.#asked.get(id)?.(text)
  }
}
