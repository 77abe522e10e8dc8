import { readFileSync } from 'node:fs'
import { uuidv7 } from '../core/ids.ts'
import { systemClock } from '../core/time.ts'
import { DefaultPrices } from '../service/default-prices.ts'
import type { Deps } from '../service/deps.ts'
import { CallWriter } from '../store/calls/writer.ts'
import type { Database } from '../store/database.ts'

export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The world as it is: this machine's clock, this database. */
export function createDeps(db: Database): Deps {
  return {
    db,
    callWriter: new CallWriter(db),
    defaultPrices: new DefaultPrices(db, systemClock),
    now: systemClock,
    newId: () => uuidv7(systemClock()),
    version: VERSION,
  }
}
