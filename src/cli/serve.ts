import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '../app/deps.ts'
import { createLog, startHeddle } from '../app/heddle.ts'
import { readSettings } from '../app/settings.ts'
import { runWorker } from '../app/worker.ts'
import { type Serving, startWorkers } from '../app/workers.ts'
import { DURABILITIES } from '../store/database/durability.ts'
import { type Command, defined, STORAGE_OPTIONS, type World } from './command.ts'
import { welcome } from './welcome.ts'

/** `heddle serve`: runs until a signal asks it to end. */
export const serveCommand: Command = {
  usage:
    '[--data DIR | --clickhouse-url URL] [--host HOST] [--port PORT] [--workers N] [--durability process|power|quorum] [--log-level LEVEL]',
  summary: 'Run the server. This is also what `heddle` alone does.',
  options: {
    ...STORAGE_OPTIONS,
    host: { type: 'string' },
    port: { type: 'string' },
    workers: { type: 'string' },
    durability: { type: 'string' },
    'log-level': { type: 'string' },
  },
  run: async (args, world) => {
    args.words()
    if (cluster.isWorker) return runWorker()
    const settings = readSettings(world.env, {
      ...args.storage(),
      ...defined({
        host: args.text('host'),
        port: args.integer('port'),
        workers: args.integer('workers'),
        durability: args.oneOf('durability', DURABILITIES),
        logLevel: args.text('log-level'),
      }),
    })
    const log = createLog(settings)
    // Heard from the beginning: a signal during the start is obeyed as soon as there is something to stop.
    const asked = untilAsked(world)
    const heddle = await (settings.workers > 1 ? startWorkers(settings, log) : startHeddle(settings, log))
    world.stdout.write(
      welcome({ version: VERSION, url: heddle.url, credentials: heddle.credentials, settings }),
    )
    const end = await Promise.race([asked, heddle.engineDied.then((sentence) => new Error(sentence))])
    if (end instanceof Error) {
      log.fatal({ err: end }, 'the engine died; this process ends so that its supervisor starts it again')
      throw new Error('the engine died; see the log')
    }
    log.info({ signal: end }, 'stopping')
    await stop(heddle)
    log.info('stopped')
  },
}

/** Requests that are running get this long: most who stop us kill after 30 s. */
const GRACE_MS = 25_000

/**
 * Between "not ready" and the end of listening: what is on its way here still comes in, and is answered with "close",
 * so that a connection is seldom closed while a request is on it.
 */
const LINGER_MS = 500

async function stop(heddle: Serving): Promise<void> {
  heddle.setDraining()
  await sleep(LINGER_MS)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_settle, reject) => {
    timer = setTimeout(
      () => reject(new Error(`requests were still running after ${GRACE_MS / 1000} s`)),
      GRACE_MS,
    )
  })
  await Promise.race([heddle.stop(), late])
  clearTimeout(timer)
}

/** The first signal asks; the second does not wait. */
function untilAsked(world: World): Promise<NodeJS.Signals> {
  return new Promise((settle) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      world.once(signal, () => {
        for (const again of ['SIGTERM', 'SIGINT'] as const) world.once(again, () => process.exit(1))
        settle(signal)
      })
    }
  })
}
