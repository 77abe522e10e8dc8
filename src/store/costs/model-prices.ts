import type { PriceBook } from '../../core/costs/prices.ts'
import type { Database } from '../database/database.ts'
import { findPrices } from './prices.ts'

export interface PriceReader {
  readonly db: Database
  /** Resolves when the built-in prices are written. */
  readonly defaultPrices: { ready(): Promise<void> }
}

/** Finds the prices of models. Waits until the built-in prices are written. */
export async function findModelPrices(
  { db, defaultPrices }: PriceReader,
  project_id: string,
  models: Iterable<string>,
): Promise<PriceBook> {
  await defaultPrices.ready()
  return findPrices(db, project_id, [...models])
}
