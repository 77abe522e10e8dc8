import type { Logger } from 'pino'
import type { Database } from '../store/database/database.ts'

/** How often a server that did not respond is tried again. */
const RETRY_MS = 5_000

interface Preparation {
  /** Throws if the file of HEDDLE_CLUSTER does not fit the servers. It is called before any of them is prepared. */
  readonly check: (servers: readonly Database[]) => Promise<void>
  readonly prepare: (server: Database) => Promise<void>
}

/**
 * Prepares every server of a cluster, one after the other. A node can start while some do not respond: those are prepared
 * when they do. Throws if none responds. Returns the function that stops trying.
 */
export async function prepareServers(
  { everyServer }: Database,
  log: Logger,
  { check, prepare }: Preparation,
): Promise<() => Promise<void>> {
  const responding = await Promise.all(everyServer.map((server) => server.ping({ select: false })))
  const silent = everyServer.filter((_server, index) => responding[index] !== true)
  if (silent.length === everyServer.length) throw new Error('no ClickHouse server of HEDDLE_CLUSTER responds')
  const ready = everyServer.filter((server) => !silent.includes(server))
  await check(ready)
  // The last first: nodes in service read an added shard as soon as the tables of another server name it.
  for (const server of ready.toReversed()) await prepare(server)
  const stops = silent.map((server) => {
    log.warn({ url: server.settings.url }, 'ClickHouse does not respond; it is prepared when it does')
    return prepareLater(server, log, async () => {
      await check([server])
      await prepare(server)
    })
  })
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function prepareLater(server: Database, log: Logger, prepare: () => Promise<void>): () => Promise<void> {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const attempt = async (): Promise<void> => {
    try {
      if (await server.ping({ select: false })) return await prepare()
    } catch (error) {
      if (!isStopped)
        log.warn({ err: error, url: server.settings.url }, 'preparing ClickHouse failed; it is retried')
    }
    if (!isStopped) schedule()
  }
  let timer: NodeJS.Timeout | undefined
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = attempt()
    }, RETRY_MS)
  }
  schedule()
  return () => {
    isStopped = true
    clearTimeout(timer)
    return running
  }
}
