import { readFileSync } from 'node:fs'
import { sqlPassword } from '../clickhouse/config.ts'
import { credentialKeyTest } from '../core/calls/credential-keys.ts'
import { NamedFields } from '../core/calls/named-values.ts'
import { UNITS_PER_DOLLAR } from '../core/models/spend-ledger.ts'
import { KeyRedactor } from '../core/json/key-redactor.ts'
import { uuidv7 } from '../core/time/ids.ts'
import { systemClock } from '../core/time/time.ts'
import { ProjectLoad } from '../service/access/project-load.ts'
import { DefaultPrices } from '../service/costs/default-prices.ts'
import type { Deps } from '../service/deps.ts'
import { LiveFeed } from '../service/live/live-feed.ts'
import { ColumnExtractor } from '../store/calls/columns/column-extractor.ts'
import { CachedAggregates } from '../store/calls/read/cached-aggregates.ts'
import { DocumentFieldSampler } from '../store/calls/read/document-field-sampler.ts'
import { PageBoundaries } from '../store/calls/read/page-boundary.ts'
import { TimePageReader } from '../store/calls/read/time-page.ts'
import { CallWriter, type CallWriterOptions } from '../store/calls/write/writer.ts'
import { isCluster } from '../store/cluster/cluster-database.ts'
import { ShardedCallWriter } from '../store/cluster/sharded-call-writer.ts'
import type { Database } from '../store/database/database.ts'
import { SqlSandbox } from '../store/sql/sql-sandbox.ts'
import { createModelConnection } from './models/model-connection.ts'
import { createSecretKeys } from './secret-keys.ts'
import type { Settings } from './settings.ts'

export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Wires the dependencies of the service layer: the database, the system clock, caches and settings. */
export function createDeps(
  db: Database,
  settings: Settings,
  callWriter: Partial<CallWriterOptions> = {},
): Deps {
  const columns = createColumnExtractor(settings)
  const isRedacted = credentialKeyTest(settings.redactKeys)
  const pageBoundaries = new PageBoundaries(db)
  return {
    db,
    callWriter:
      db.shards.length > 1
        ? new ShardedCallWriter(db, callWriter, { columns })
        : new CallWriter(db.firstShard, callWriter, { columns }),
    timePages: new TimePageReader(db, pageBoundaries),
    pageBoundaries,
    documentFields: new DocumentFieldSampler(db, systemClock),
    cachedAggregates: new CachedAggregates(db),
    defaultPrices: new DefaultPrices(db, systemClock),
    live: new LiveFeed(db, { order: { delayMs: liveDelayMs(db, settings) } }),
    sqlSandbox: new SqlSandbox(db, {
      username: settings.clickhouseSqlUser,
      password: settings.clickhouseSqlPassword ?? sqlPassword(db.settings.password),
    }),
    redactor: isRedacted && new KeyRedactor(isRedacted),
    secretKeys: createSecretKeys(settings),
    models: createModelConnection({ allowedNetworks: settings.modelsAllowedNetworks }),
    modelDefaults: {
      openai: { baseUrl: settings.openaiBaseUrl, apiKey: settings.openaiApiKey },
      anthropic: { baseUrl: settings.anthropicBaseUrl, apiKey: settings.anthropicApiKey },
      gemini: { baseUrl: settings.geminiBaseUrl, apiKey: settings.geminiApiKey },
    },
    modelBudget: {
      defaultLimit:
        settings.modelsBudgetDollars === 0
          ? undefined
          : BigInt(settings.modelsBudgetDollars) * UNITS_PER_DOLLAR,
      isReplicated: isReplicated(db),
    },
    projectLoad: new ProjectLoad(settings.metricsProjects),
    now: systemClock,
    staleAfterMs: settings.staleAfterMs,
    projectDeletionDelayMs: settings.projectDeletionDelayMs,
    retentionMaxDays: settings.retentionMaxDays,
    searchIndex: settings.searchIndex,
    searchTimeoutMs: settings.searchTimeoutMs,
    newId: () => uuidv7(systemClock()),
    version: VERSION,
  }
}

/** What extracts columns from payloads, with the attributes of the end user that are configured. */
export function createColumnExtractor({
  endUserAttributes,
}: Pick<Settings, 'endUserAttributes'>): ColumnExtractor {
  return new ColumnExtractor(new NamedFields(endUserAttributes))
}

/** Enough for an insert to become visible; replicated tables have no other order (docs/decisions/0009-live-feed.md). */
const REPLICATED_LIVE_DELAY_MS = 3_000

function isReplicated(db: Database): boolean {
  return isCluster(db) && db.cluster.topology.replication !== undefined
}

function liveDelayMs(db: Database, settings: Settings): number {
  return settings.liveDelayMs === 0 && isReplicated(db) ? REPLICATED_LIVE_DELAY_MS : settings.liveDelayMs
}
