import type { KeyRedactor } from '../core/json/key-redactor.ts'
import type { Clock } from '../core/time/time.ts'
import type { CachedAggregates } from '../store/calls/read/cached-aggregates.ts'
import type { DocumentFieldSampler } from '../store/calls/read/document-field-sampler.ts'
import type { PageBoundaries } from '../store/calls/read/page-boundary.ts'
import type { TimePageReader } from '../store/calls/read/time-page.ts'
import type { CallStore } from '../store/calls/write/writer.ts'
import type { Database } from '../store/database/database.ts'
import type { SqlSandbox } from '../store/sql/sql-sandbox.ts'
import type { SearchIndex } from '../store/calls/read/search-index.ts'
import type { ProjectLoad } from './access/project-load.ts'
import type { DefaultPrices } from './costs/default-prices.ts'
import type { ModelConnection } from './models/model-connection.ts'
import type { BuiltInProvider, ProviderDefault } from './models/built-in-providers.ts'
import type { SecretKeys } from '../core/models/secret-cipher.ts'
import type { LiveFeed } from './live/live-feed.ts'

/** Everything the services depend on: database, clock, ids and shared caches. They create none of it themselves. */
export interface Deps {
  readonly db: Database
  /** All writes of calls go through this writer, so that concurrent requests share inserts. */
  readonly callWriter: CallStore
  /** Reads pages of calls ordered by start time. */
  readonly timePages: TimePageReader
  /** Limits scans to a number of calls. */
  readonly pageBoundaries: PageBoundaries
  /** Chooses how substring tests read fields. */
  readonly documentFields: DocumentFieldSampler
  /** Token sums per time bucket, cached between requests. */
  readonly cachedAggregates: CachedAggregates
  readonly defaultPrices: DefaultPrices
  /** All subscribers of a project in this process share one reader of the live log. */
  readonly live: LiveFeed
  /** Runs users' SQL under the restricted `sql_reader` user. */
  readonly sqlSandbox: SqlSandbox
  /** Replaces credentials in call records before anything of them is stored; undefined: nothing is replaced. */
  readonly redactor: KeyRedactor | undefined
  /** Encrypt the keys of model providers. */
  readonly secretKeys: SecretKeys
  /** Sends requests to models. */
  readonly models: ModelConnection
  /** The built-in providers of models. */
  readonly modelDefaults: Readonly<Record<BuiltInProvider, ProviderDefault>>
  readonly modelBudget: {
    /** Of projects without a budget of their own, in 10^-12 dollars a day; undefined: none. */
    readonly defaultLimit: bigint | undefined
    /** Whether tables are replicated: rows become visible in another order than that of their numbers. */
    readonly isReplicated: boolean
  }
  /** What projects send, for metrics. */
  readonly projectLoad: Pick<ProjectLoad, 'add' | 'totals'>
  readonly now: Clock
  /** Running calls older than this are marked as stale; 0 disables the mark. */
  readonly staleAfterMs: number
  /** How long requests for a project are refused before its data is deleted. */
  readonly projectDeletionDelayMs: number
  /** Maximum age of calls in all projects; 0: no limit. */
  readonly retentionMaxDays: number
  /** Whether calls have a text index, and which one. */
  readonly searchIndex: SearchIndex
  /** A search that takes longer than this returns the hits found so far. */
  readonly searchTimeoutMs: number
  readonly newId: () => string
  readonly version: string
}

/** The authenticated caller. It comes from the credentials, never from the request body. */
export interface Caller {
  readonly user_id: string
  readonly username: string
  /** Id of the API key or session; undefined for a password. */
  readonly key_id?: string
  /** When the session expires; undefined for API keys and passwords. */
  readonly expires_at?: string
  /** The network address of the client, for a request with a password to verify. */
  readonly address?: string
  /** The browser and operating system, for a request that signs in; empty if they are unknown. */
  readonly browser?: string
  /**
   * The secret for a session that this request may create. The layer that sets the cookie generates it. Services
   * store only its hash, so no service response contains it.
   */
  readonly session_token?: string
  /** The client rejects responses with fields that it does not know. Omit new fields that are empty. */
  readonly rejectsUnknownFields?: boolean
}
