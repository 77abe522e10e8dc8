import type { PriceBook } from '../../core/costs/prices.ts'
import { findPrices } from '../../store/costs/prices.ts'
import type { Deps } from '../deps.ts'

/** Finds the prices of models. Waits until the built-in prices are written. */
export async function findModelPrices(
  { db, defaultPrices }: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  models: Iterable<string>,
): Promise<PriceBook> {
  await defaultPrices.ready()
  return findPrices(db, project_id, [...models])
}
