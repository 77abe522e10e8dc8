import type { Clock } from '../core/time.ts'
import type { CallWriter } from '../store/calls/writer.ts'
import type { Database } from '../store/database.ts'
import type { DefaultPrices } from './default-prices.ts'
import type { LiveFeed } from './live.ts'

/** The world, passed in: services reach for nothing themselves. */
export interface Deps {
  readonly db: Database
  /** Every write of calls goes through this one, so that they can share inserts. */
  readonly callWriter: CallWriter
  readonly defaultPrices: DefaultPrices
  /** Followers of one project at this node share one reader. */
  readonly live: LiveFeed
  readonly now: Clock
  /** Calls that have been running for longer are marked; 0 marks none. */
  readonly staleAfterMs: number
  readonly newId: () => string
  readonly version: string
}

/** Who is calling, as the credentials say; never as the body says. */
export interface Caller {
  readonly user_id: string
  readonly username: string
  /** The API key that was used; undefined for a password. */
  readonly key_id?: string
  /** The client's models refuse fields that they do not know: spare it those that say nothing. */
  readonly isStrict?: boolean
}
