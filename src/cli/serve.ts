import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '../app/deps.ts'
import { startHeddle } from '../app/heddle.ts'
import { createLog } from '../app/log.ts'
import { isExternal, readSettings, type Settings } from '../app/settings.ts'
import { runWorker } from '../app/worker.ts'
import { type RunningServer, startWorkers } from '../app/workers.ts'
import { ApiError } from '../contract/api-error.ts'
import { serverHost } from '../store/database/every-server.ts'
import type { Command, Environment } from './command.ts'
import { banner } from './banner.ts'
import { requireFreePort } from './free-port.ts'
import { recordServer, removeServer } from './running-server.ts'
import { SERVER_OPTIONS, SERVER_USAGE, serverFlags } from './server-settings.ts'
import { describeUnknown, findUnknownVariables } from './unknown-variables.ts'

/** `heddle serve`: runs the server until SIGTERM or SIGINT. */
export const serveCommand: Command = {
  usage: SERVER_USAGE,
  summary: 'Run the server. This is the default command.',
  options: SERVER_OPTIONS,
  run: async (args, environment) => {
    args.positionals()
    if (cluster.isWorker) return runWorker()
    const settings = readSettings(environment.env, serverFlags(args))
    await requireFreePort(settings)
    // Registered before the start: with embedded ClickHouse, a signal takes effect as soon as the server is up.
    const signaled = waitForSignal(environment)
    let showLog = (): void => {}
    const log = createLog(settings, new Promise<void>((resolve) => (showLog = resolve)))
    for (const unknown of findUnknownVariables(environment.env)) log.warn(describeUnknown(unknown))
    const started = (settings.workers > 1 ? startWorkers(settings, log) : startHeddle(settings, log)).catch(
      (error: unknown) => {
        showLog()
        throw explainOutage(error, settings)
      },
    )
    // ClickHouse elsewhere may be away for long, and loses nothing if the start ends.
    const heddle = await (isExternal(settings) ? Promise.race([started, signaled]) : started)
    if (typeof heddle === 'string') {
      showLog()
      log.info({ signal: heddle }, 'stopped before the start was complete')
      return
    }
    const { url, grpcUrl, credentials } = heddle
    await recordServer(settings, url)
    const isTerminal = environment.stdout.isTTY === true
    environment.stdout.write(banner({ version: VERSION, url, grpcUrl, credentials, settings, isTerminal }))
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

/** The message of a request, which a client may repeat, does not fit a start. */
function explainOutage(error: unknown, settings: Settings): unknown {
  if (!(error instanceof ApiError) || error.code !== 'unavailable' || !isExternal(settings)) return error
  const { clickhouseUrl } = settings
  return new Error(
    clickhouseUrl === undefined
      ? 'ClickHouse does not respond; check the servers in the file of HEDDLE_CLUSTER, and that they are running'
      : `ClickHouse does not respond at ${serverHost(clickhouseUrl)}; check HEDDLE_CLICKHOUSE_URL, the network, and that it is running`,
    { cause: error },
  )
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
