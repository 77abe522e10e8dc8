import type { Clock } from '../core/time.ts'
import type { CallWriter } from '../store/calls/writer.ts'
import type { Database } from '../store/database.ts'
import type { DefaultPrices } from './default-prices.ts'

/** The world, passed in: services reach for nothing themselves. */
export interface Deps {
  readonly db: Database
  /** Every write of calls goes through this one, so that they can share inserts. */
  readonly callWriter: CallWriter
  readonly defaultPrices: DefaultPrices
  readonly now: Clock
  readonly newId: () => string
  readonly version: string
}

/** Who is calling, as the credentials say; never as the body says. */
export interface Caller {
  readonly user_id: string
  readonly username: string
  /** The client's models refuse fields that they do not know: spare it those that say nothing. */
  readonly isStrict?: boolean
}
