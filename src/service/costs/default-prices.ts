import { readDefaultPrices } from '../../core/costs/default-prices.ts'
import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import type { Clock } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import { replaceDefaultPrices } from '../../store/costs/prices.ts'

/** Built-in prices of this release. */

/** Writes the built-in prices of this release to the prices table. Returns the number of changed rows. */
export async function syncDefaultPrices({ db, now }: { db: Database; now: Clock }): Promise<number> {
  const at = now()
  return replaceDefaultPrices(db, await readDefaultPrices(at), at)
}

/** Writes built-in prices in the background at startup. Readers of prices wait until they are written. */
export class DefaultPrices {
  readonly #sync: () => Promise<unknown>
  #ready: Promise<unknown> | undefined

  constructor(db: Database, now: Clock) {
    this.#sync = () => syncDefaultPrices({ db, now })
  }

  async ready(): Promise<void> {
    this.#ready ??= outsideRequest(this.#sync).catch((error: unknown) => {
      this.#ready = undefined
      throw error
    })
    await this.#ready
  }
}
