import { type Logger, pino } from 'pino'
import { createServer } from '../http/server.ts'
import { type Access, createAccess } from '../service/access.ts'
import type { Deps } from '../service/deps.ts'
import { createGraphql } from '../service/graphql.ts'
import { createHandlers } from '../service/handlers.ts'
import { prepareSignIn, type ShownCredentials } from './first-start.ts'
import { createDeps, VERSION } from './deps.ts'
import type { Settings } from './settings.ts'
import { openStorage } from './storage.ts'

/** A running Heddle: everything is put together here, by hand, in the order it starts. */
export interface Heddle {
  readonly url: string
  readonly deps: Deps
  readonly access: Access
  /** What to print for the person who started it; undefined if there is nothing that may be shown. */
  readonly credentials: ShownCredentials | undefined
  /** Resolves with a sentence if the built-in engine ends by itself. */
  readonly engineDied: Promise<string>
  /** `/readyz` says no from now on, so that balancers look elsewhere; requests are still answered. */
  setDraining(): void
  stop(): Promise<void>
}

export async function startHeddle(settings: Settings, log: Logger = createLog(settings)): Promise<Heddle> {
  const storage = await openStorage(settings, log)
  const { db, engine } = storage
  try {
    const deps = createDeps(db)
    const credentials = await prepareSignIn(deps, settings)
    const access = createAccess(deps)
    const server = createServer({
      handlers: createHandlers(deps),
      graphql: createGraphql(deps, access),
      access,
      log,
      version: VERSION,
      bodyLimitBytes: settings.bodyLimitBytes,
      inFlightLimitBytes: settings.inFlightLimitBytes,
      notReady: async () => ((await db.ping()) ? undefined : 'the storage engine does not answer'),
    })
    const url = await server.listen({ host: settings.host, port: settings.port })
    deps.defaultPrices
      .ready()
      .catch((error: unknown) => log.warn({ err: error }, 'built-in prices come later'))
    return {
      url,
      deps,
      access,
      credentials,
      engineDied: engine?.died ?? new Promise<string>(() => {}),
      setDraining: () => server.setDraining(),
      stop: async () => {
        await server.close()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

export function createLog(settings: Settings): Logger {
  // Standard output is for the person who started it.
  return pino({ level: settings.logLevel }, pino.destination(2))
}
