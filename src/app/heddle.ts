import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import type { Registry } from 'prom-client'
import { createServer } from '../http/server.ts'
import { readWebFiles } from '../http/web-files.ts'
import { type Access, createAccess } from '../service/access/access.ts'
import type { Deps } from '../service/deps.ts'
import { createGraphql } from '../service/graphql.ts'
import { createHandlers } from '../service/handlers.ts'
import { Quotas, type QuotaDefaults } from '../service/access/quotas.ts'
import { Sweeper } from '../store/calls/sweeper.ts'
import { prepareSignIn, type ShownCredentials } from './first-start.ts'
import { createDeps, VERSION } from './deps.ts'
import type { Settings } from './settings.ts'
import { openStorage, type Storage } from './storage.ts'

/** A running Heddle: everything is put together here, by hand, in the order it starts. */
export interface Heddle {
  readonly url: string
  readonly deps: Deps
  readonly access: Access
  /** What to print for the person who started it; undefined if there is nothing that may be shown. */
  readonly credentials: ShownCredentials | undefined
  /** Metrics of this process. */
  readonly registry: Registry
  /** Resolves with a sentence if the built-in engine ends by itself. */
  readonly engineDied: Promise<string>
  /** `/readyz` says no from now on, so that balancers look elsewhere; requests are still answered. */
  setDraining(): void
  stop(): Promise<void>
}

/** Beside the compiled server lies the compiled UI; beside the sources are only its sources. */
const BUILT_WEB = import.meta.url.endsWith('.js')
  ? fileURLToPath(new URL('../web/', import.meta.url))
  : undefined

export async function startHeddle(settings: Settings, log: Logger = createLog(settings)): Promise<Heddle> {
  const storage = await openStorage(settings, log)
  try {
    const deps = createDeps(storage.db, settings)
    const credentials = await prepareSignIn(deps, settings)
    return await serveOn(storage, settings, log, { deps, credentials })
  } catch (error) {
    await storage.close()
    throw error
  }
}

export interface Prepared {
  readonly deps: Deps
  readonly credentials: ShownCredentials | undefined
  readonly allMetrics?: () => Promise<string | undefined>
}

/** Answers requests on a storage that is ready, and closes it when it is stopped. */
export async function serveOn(
  storage: Storage,
  settings: Settings,
  log: Logger,
  { deps, credentials, allMetrics }: Prepared,
): Promise<Heddle> {
  const { db, engine } = storage
  const access = createAccess(deps)
  const server = createServer({
    handlers: createHandlers(deps, access),
    graphql: createGraphql(deps, access),
    access,
    log,
    version: VERSION,
    bodyLimitBytes: settings.bodyLimitBytes,
    inFlightLimitBytes: settings.inFlightLimitBytes,
    memoryWaitMs: settings.memoryWaitMs,
    web: readWebFiles(settings.webDirectory ?? BUILT_WEB),
    quotas: new Quotas(deps, quotaDefaults(settings)),
    allMetrics,
    notReady: async () => ((await db.ping()) ? undefined : 'the storage engine does not answer'),
  })
  const url = await server.listen({ host: settings.host, port: settings.port })
  const sweeper = new Sweeper(db, (error) => log.warn({ err: error }, 'left-over calls are settled later'))
  sweeper.start()
  deps.defaultPrices.ready().catch((error: unknown) => log.warn({ err: error }, 'built-in prices come later'))
  return {
    url,
    deps,
    access,
    credentials,
    registry: server.registry,
    engineDied: engine?.died ?? new Promise<string>(() => {}),
    setDraining: () => {
      server.setDraining()
      deps.live.close()
    },
    stop: async () => {
      deps.live.close()
      await server.close()
      sweeper.stop()
      await deps.analyst.close()
      await storage.close()
    },
  }
}

export function createLog(settings: Settings): Logger {
  // Standard output is for the person who started it.
  return pino({ level: settings.logLevel }, pino.destination(2))
}

function quotaDefaults(settings: Settings): QuotaDefaults {
  return {
    key: {
      callsPerSecond: settings.quotaKeyCallsPerSecond,
      bytesPerSecond: settings.quotaKeyBytesPerSecond,
    },
    project: {
      callsPerSecond: settings.quotaProjectCallsPerSecond,
      bytesPerSecond: settings.quotaProjectBytesPerSecond,
    },
    burstSeconds: settings.quotaBurstSeconds,
  }
}
