import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '../app/deps.ts'
import { startHeddle } from '../app/heddle.ts'
import { createLog } from '../app/log.ts'
import { readSettings } from '../app/settings.ts'
import { runWorker } from '../app/worker.ts'
import { type RunningServer, startWorkers } from '../app/workers.ts'
import { DURABILITIES } from '../store/database/durability.ts'
import { type Command, defined, STORAGE_OPTIONS, type Environment } from './command.ts'
import { banner } from './banner.ts'
import { recordServer, removeServer } from './running-server.ts'

/** `heddle serve`: runs the server until SIGTERM or SIGINT. */
export const serveCommand: Command = {
  usage:
    '[--data DIR | --clickhouse-url URL] [--host HOST] [--port PORT] [--workers N] [--durability process|power|quorum] [--log-level LEVEL]',
  summary: 'Run the server. This is the default command.',
  options: {
    ...STORAGE_OPTIONS,
    host: { type: 'string' },
    port: { type: 'string' },
    workers: { type: 'string' },
    durability: { type: 'string' },
    'log-level': { type: 'string' },
  },
  run: async (args, environment) => {
    args.positionals()
    if (cluster.isWorker) return runWorker()
    const settings = readSettings(environment.env, {
      ...args.storage(),
      ...defined({
        host: args.text('host'),
        port: args.integer('port'),
        workers: args.integer('workers'),
        durability: args.oneOf('durability', DURABILITIES),
        logLevel: args.text('log-level'),
      }),
    })
    // Registered before the start: a signal during the start takes effect as soon as the server is up.
    const signaled = waitForSignal(environment)
    let showLog = (): void => {}
    const log = createLog(settings, new Promise<void>((resolve) => (showLog = resolve)))
    const heddle = await (
      settings.workers > 1 ? startWorkers(settings, log) : startHeddle(settings, log)
    ).catch((error: unknown) => {
      showLog()
      throw error
    })
    const { url, grpcUrl, credentials } = heddle
    await recordServer(settings, url)
    environment.stdout.write(banner({ version: VERSION, url, grpcUrl, credentials, settings }))
    showLog()
    const ended = await Promise.race([
      signaled,
      heddle.clickhouseCrashed.then((message) => new Error(message)),
    ])
    if (ended instanceof Error) {
      log.fatal({ err: ended }, 'embedded ClickHouse crashed; exiting so that the supervisor restarts Heddle')
      throw new Error('embedded ClickHouse crashed; see the log')
    }
    log.info({ signal: ended }, 'stopping')
    await removeServer(settings)
    await stop(heddle)
    log.info('stopped')
  },
}

/** Time for requests in progress to finish: most supervisors send SIGKILL after 30 s. */
const SHUTDOWN_TIMEOUT_MS = 25_000

/**
 * Time between "not ready" and the end of listening. Requests in transit still arrive and get `Connection: close`, so a
 * connection is rarely closed with a request on it.
 */
const DRAIN_MS = 500

async function stop(heddle: RunningServer): Promise<void> {
  heddle.setDraining()
  await sleep(DRAIN_MS)
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`requests were still running after ${SHUTDOWN_TIMEOUT_MS / 1000} s`)),
      SHUTDOWN_TIMEOUT_MS,
    )
  })
  await Promise.race([heddle.stop(), timedOut])
  clearTimeout(timer)
}

/** The first signal stops gracefully, a second one exits immediately. */
function waitForSignal(environment: Environment): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      environment.once(signal, () => {
        for (const again of ['SIGTERM', 'SIGINT'] as const) environment.once(again, () => process.exit(1))
        resolve(signal)
      })
    }
  })
}
