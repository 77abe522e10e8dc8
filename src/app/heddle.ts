import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { LargeRequests, MAIN_THREAD_WRITER } from '../http/large-requests.ts'
import { createServer, type HttpServer } from '../http/server.ts'
import { readWebFiles } from '../http/web-files.ts'
import { type Access, createAccess } from '../service/access/access.ts'
import type { Deps } from '../service/deps.ts'
import { createGraphqlHandler } from '../service/graphql/graphql.ts'
import { createHandlers } from '../service/handlers.ts'
import { ProjectDeletions } from '../service/access/project-deletions.ts'
import { Quotas, type QuotaDefaults } from '../service/access/quotas.ts'
import { startClockSync } from '../store/calls/write/clock-sync.ts'
import { createSweepers } from '../store/cluster/sweepers.ts'
import { registerBackupAge, startBackupSchedule } from './backup/backup-schedule.ts'
import { prepareCredentials, type StartupCredentials } from './first-start.ts'
import { createDeps, VERSION } from './deps.ts'
import { LargeRequestThread } from './large-requests.ts'
import { createLog } from './log.ts'
import { lostPartsProbe } from './lost-parts.ts'
import { startRetention } from './retention.ts'
import { type SelfTracing, startSelfTracing, tracesUrl } from './self-tracing.ts'
import type { Settings } from './settings.ts'
import { watchShards } from './shard-health.ts'
import { registerStorageMetrics } from './storage-metrics.ts'
import { attachedSettings, openStorage, type Storage } from './storage.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Wires and starts the server: storage, dependencies, HTTP, background jobs, in this order. */

/** A running server. */
export interface Heddle {
  readonly url: string
  /** Where OTLP/gRPC is served, if it is. */
  readonly grpcUrl: string | undefined
  readonly deps: Deps
  readonly access: Access
  /** Credentials to print at the start; undefined if none may be shown. */
  readonly credentials: StartupCredentials | undefined
  /** Metrics of this process. */
  readonly registry: Registry
  /** Resolves with a message if embedded ClickHouse exits unexpectedly. */
  readonly clickhouseCrashed: Promise<string>
  /** From now on `/readyz` returns 503, so load balancers stop routing here; requests are still served. */
  setDraining(): void
  stop(): Promise<void>
}

/** The built UI of the package; undefined when running from source. */
const BUILT_WEB = import.meta.url.endsWith('.js')
  ? fileURLToPath(new URL('../web/', import.meta.url))
  : undefined

export interface StartOptions {
  /** Whether large requests are executed in a thread of their own (large-requests.ts). */
  readonly hasLargeRequestThread?: boolean
}

export async function startHeddle(
  settings: Settings,
  log: Logger = createLog(settings),
  { hasLargeRequestThread = true }: StartOptions = {},
): Promise<Heddle> {
  const storage = await openStorage(settings, log)
  try {
    // Fails at the start rather than with the first large request.
    await temporaryDirectory(settings)
    const deps = createDeps(storage.db, settings, hasLargeRequestThread ? MAIN_THREAD_WRITER : {})
    const largeRequestThread = hasLargeRequestThread
      ? new LargeRequestThread(attachedSettings(settings, storage), log, deps)
      : undefined
    const credentials = await prepareCredentials(deps, settings)
    return await serveStorage(storage, settings, log, { deps, credentials, largeRequestThread })
  } catch (error) {
    await storage.close()
    throw error
  }
}

export interface ServeOptions {
  readonly deps: Deps
  readonly credentials: StartupCredentials | undefined
  readonly allMetrics?: () => Promise<string | undefined>
  /** Undefined: large requests are executed like all others. */
  readonly largeRequestThread?: LargeRequestThread | undefined
  /** In the thread for large requests: where it listens, instead of the address in the settings. */
  readonly socketPath?: string
}

/** Serves requests on an open storage; `stop` closes the storage too. */
export async function serveStorage(
  storage: Storage,
  settings: Settings,
  log: Logger,
  { deps, credentials, allMetrics, largeRequestThread, socketPath }: ServeOptions,
): Promise<Heddle> {
  const { db, clickhouse } = storage
  const access = createAccess(deps)
  const quotas = new Quotas(deps, quotaDefaults(settings))
  const deletions = new ProjectDeletions(deps, access, (error) =>
    log.warn({ err: error }, 'deleting a project failed; it is retried'),
  )
  const lostParts = lostPartsProbe(db, settings.allowDetachedParts)
  let selfTracing: SelfTracing | undefined
  // The main thread traces the requests that it forwards.
  const isTraced = socketPath === undefined && tracesUrl(settings) !== undefined
  const server = createServer({
    traceRequest: isTraced ? (span) => selfTracing?.record(span) : undefined,
    handlers: createHandlers(deps, { access, quotas, deletions }),
    graphql: createGraphqlHandler(deps, access),
    access,
    log,
    version: VERSION,
    trustedProxies: settings.trustedProxies,
    basePath: settings.basePath,
    // The main thread adds the headers to what its thread responds.
    corsOrigins: socketPath === undefined ? settings.corsOrigins : undefined,
    bodyLimitBytes: settings.bodyLimitBytes,
    inFlightLimitBytes: settings.inFlightLimitBytes,
    memoryWaitMs: settings.memoryWaitMs,
    web: readWebFiles(settings.webDirectory ?? BUILT_WEB, settings.basePath),
    quotas,
    allMetrics,
    largeRequests: largeRequestThread && new LargeRequests(() => largeRequestThread.socketPath()),
    acceptsForwardedCallers: socketPath !== undefined,
    notReadyReason: async () => ((await db.ping()) ? lostParts() : 'ClickHouse does not respond'),
    unavailableShards: () => db.unavailableShards,
    leases: () => ({
      ...db.readLeases,
      sql_queries: deps.sqlSandbox.running,
      live_streams: deps.live.streams,
      writer_bytes: deps.callWriter.pendingBytes,
    }),
    maxRequestMs: maxRequestMs(settings),
  })
  registerBackupAge(server.registry, settings, log)
  registerStorageMetrics(server.registry, deps)
  watchShards(db, log, server.registry)
  // If it fails, the first request reads it.
  await Promise.all([access.preload(), quotas.preload()]).catch((error: unknown) =>
    log.warn({ err: error }, 'users and projects could not be read yet'),
  )
  const url = await server.listen(
    socketPath === undefined ? { host: settings.host, port: settings.port } : { path: socketPath },
  )
  const grpcUrl =
    socketPath === undefined
      ? await listenOtlpGrpc(server, settings, log).catch(async (error: unknown) => {
          await server.close()
          throw error
        })
      : undefined
  if (isTraced)
    selfTracing = startSelfTracing(settings, [url, ...(grpcUrl === undefined ? [] : [grpcUrl])], log)
  const stopClockSync = startClockSync(db.firstShard, deps.callWriter.clock, (error) =>
    log.warn({ err: error }, 'reading the clock of ClickHouse failed; it is retried'),
  )
  const sweepers = createSweepers(db, deps.callWriter, (error) =>
    log.warn({ err: error }, 'sweeper failed; it retries on its next run'),
  )
  let stopRetention = (): void => {}
  let stopBackups = async (): Promise<void> => {}
  if (socketPath === undefined) {
    for (const sweeper of sweepers) sweeper.start()
    deletions.start()
    stopRetention = startRetention(deps, settings, log, server.registry)
    stopBackups = startBackupSchedule(db, settings, log)
  }
  deps.defaultPrices
    .ready()
    .catch((error: unknown) =>
      log.warn({ err: error }, 'loading built-in prices failed; retried on first use'),
    )
  return {
    url: url + settings.basePath,
    grpcUrl,
    deps,
    access,
    credentials,
    registry: server.registry,
    clickhouseCrashed: clickhouse?.crashed ?? new Promise<string>(() => {}),
    setDraining: () => {
      server.setDraining()
      deps.live.close()
    },
    stop: async () => {
      deps.live.close()
      await server.close()
      await selfTracing?.stop()
      await largeRequestThread?.stop()
      for (const sweeper of sweepers) sweeper.stop()
      deletions.stop()
      stopRetention()
      stopClockSync()
      await stopBackups()
      await deps.sqlSandbox.close()
      await storage.close()
    },
  }
}

/** The port that exporters use by default. */
const OTLP_GRPC_PORT = 4317

async function listenOtlpGrpc(
  server: HttpServer,
  { host, otlpGrpcPort }: Settings,
  log: Logger,
): Promise<string | undefined> {
  if (otlpGrpcPort === 'off') return undefined
  if (otlpGrpcPort !== 'auto') return server.listenOtlpGrpc(host, otlpGrpcPort)
  try {
    return await server.listenOtlpGrpc(host, OTLP_GRPC_PORT)
  } catch (error) {
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      `OTLP/gRPC is not served, because port ${OTLP_GRPC_PORT} is not free; set HEDDLE_OTLP_GRPC_PORT to another one, or to off`,
    )
    return undefined
  }
}

/** A request may wait for memory and a slot, and run several statements. */
function maxRequestMs(settings: Settings): number {
  const { memoryWaitMs, readWaitMs, retryWindowMs, listTimeoutSeconds, scanTimeoutSeconds } = settings
  const waitMs = memoryWaitMs + readWaitMs + retryWindowMs
  return 900_000 + 4 * (waitMs + 1_000 * Math.max(listTimeoutSeconds, scanTimeoutSeconds))
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
