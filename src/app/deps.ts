import { readFileSync } from 'node:fs'
import { sqlPassword } from '../clickhouse/config.ts'
import { setEndUserAttributes } from '../core/calls/named-values.ts'
import { uuidv7 } from '../core/time/ids.ts'
import { systemClock } from '../core/time/time.ts'
import { ProjectLoad } from '../service/access/project-load.ts'
import { DefaultPrices } from '../service/costs/default-prices.ts'
import type { Deps } from '../service/deps.ts'
import { LiveFeed } from '../service/live/live-feed.ts'
import { CachedAggregates } from '../store/calls/cached-aggregates.ts'
import { DocumentFieldSampler } from '../store/calls/document-fields.ts'
import { PageBoundaries } from '../store/calls/page-boundary.ts'
import { TimePageReader } from '../store/calls/time-page.ts'
import { CallWriter, type CallWriterOptions } from '../store/calls/writer.ts'
import { ClusterDatabase } from '../store/cluster/cluster-database.ts'
import { ShardedCallWriter } from '../store/cluster/sharded-call-writer.ts'
import type { Database } from '../store/database/database.ts'
import { SqlSandbox } from '../store/sql/sql-sandbox.ts'
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
  setEndUserAttributes(settings.endUserAttributes)
  const pageBoundaries = new PageBoundaries(db)
  return {
    db,
    callWriter:
      db.shards.length > 1
        ? new ShardedCallWriter(db, callWriter)
        : new CallWriter(db.firstShard, callWriter),
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

/** Enough for an insert to become visible; replicated tables have no other order (docs/decisions/0009-live-feed.md). */
const REPLICATED_LIVE_DELAY_MS = 3_000

function liveDelayMs(db: Database, settings: Settings): number {
  const isReplicated = db instanceof ClusterDatabase && db.topology.replication !== undefined
  return settings.liveDelayMs === 0 && isReplicated ? REPLICATED_LIVE_DELAY_MS : settings.liveDelayMs
}
