import type { Clock } from '../core/time/time.ts'
import type { KeptSums } from '../store/calls/cached-aggregates.ts'
import type { TimePages } from '../store/calls/time-page.ts'
import type { CallWriter } from '../store/calls/writer.ts'
import type { Database } from '../store/database/database.ts'
import type { Analyst } from '../store/sql/sql-sandbox.ts'
import type { SearchIndex } from '../store/calls/search-index.ts'
import type { DefaultPrices } from './costs/default-prices.ts'
import type { LiveFeed } from './live/live.ts'

/** The world, passed in: services reach for nothing themselves. */
export interface Deps {
  readonly db: Database
  /** Every write of calls goes through this one, so that they can share inserts. */
  readonly callWriter: CallWriter
  /** Lists in the order of time, and how far they reach. */
  readonly timePages: TimePages
  /** Sums of tokens, by time, that need not be worked out again. */
  readonly keptSums: KeptSums
  readonly defaultPrices: DefaultPrices
  /** Followers of one project at this node share one reader. */
  readonly live: LiveFeed
  /** Runs the SQL of people. */
  readonly analyst: Analyst
  readonly now: Clock
  /** Calls that have been running for longer are marked; 0 marks none. */
  readonly staleAfterMs: number
  /** Whether there is an index for search. */
  readonly searchIndex: SearchIndex
  /** How long a search goes on before it answers what it has. */
  readonly searchMs: number
  readonly newId: () => string
  readonly version: string
}

/** Who is calling, as the credentials say; never as the body says. */
export interface Caller {
  readonly user_id: string
  readonly username: string
  /** The API key or the session that was used; undefined for a password. */
  readonly key_id?: string
  /** When the session ends by itself; undefined for keys and passwords. */
  readonly expires_at?: string
  /**
   * The secret of a session that may begin with this request. It is made where the cookie is, and only its hash goes on
   * from here: so no answer of a service holds it.
   */
  readonly session_token?: string
  /** The client's models refuse fields that they do not know: spare it those that say nothing. */
  readonly isStrict?: boolean
}
