import { readDefaultPrices } from '../../core/costs/default-prices.ts'
import { forEverybody } from '../../core/concurrency/request-scope.ts'
import type { Clock } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import { replaceDefaultPrices } from '../../store/costs/prices.ts'

/** Puts the built-in prices of this release into the table. Returns how many rows changed. */
export async function syncDefaultPrices({ db, now }: { db: Database; now: Clock }): Promise<number> {
  const at = now()
  return replaceDefaultPrices(db, await readDefaultPrices(at), at)
}

/** Built-in prices are written beside the start, so that it is quick; whoever reads them waits until they are there. */
export class DefaultPrices {
  readonly #sync: () => Promise<unknown>
  #ready: Promise<unknown> | undefined

  constructor(db: Database, now: Clock) {
    this.#sync = () => syncDefaultPrices({ db, now })
  }

  async ready(): Promise<void> {
    this.#ready ??= forEverybody(this.#sync).catch((error: unknown) => {
      this.#ready = undefined
      throw error
    })
    await this.#ready
  }
}
