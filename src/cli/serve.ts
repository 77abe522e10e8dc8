import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '../app/deps.ts'
import { startHeddle } from '../app/heddle.ts'
import { createLog } from '../app/log.ts'
import { readSettings } from '../app/settings.ts'
import { runWorker } from '../app/worker.ts'
import { type RunningServer, startWorkers } from '../app/workers.ts'
import type { Command, Environment } from './command.ts'
import { banner } from './banner.ts'
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
    // Registered before the start: a signal during the start takes effect as soon as the server is up.
    const signaled = waitForSignal(environment)
    let showLog = (): void => {}
    const log = createLog(settings, new Promise<void>((resolve) => (showLog = resolve)))
    for (const unknown of findUnknownVariables(environment.env)) log.warn(describeUnknown(unknown))
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
