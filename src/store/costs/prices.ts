import { findDefaultModel } from '../../core/costs/default-prices.ts'
import { DEFAULT_LEVEL, type PriceBook, type PriceRow } from '../../core/costs/prices.ts'
import { formatTime, type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'
import { findVersions, softDeleteRecords, nextVersion } from '../query/versions.ts'

/** A price as stored in the table. */
interface StoredPrice extends Omit<PriceRow, 'effective_date' | 'created_at' | 'pricing_level_id'> {
  readonly effective_date: string
  readonly created_at: string
}

const ROW = sql`SELECT id, llm_id, provider_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
  cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, pricing_level,
  created_by, created_at`

/**
 * The prices that may apply to these models: the project's prices with exactly that name, and the built-in prices of the
 * model that the name resolves to.
 */
export async function findPrices(
  db: Database,
  project_id: string,
  llm_ids: readonly string[],
): Promise<PriceBook> {
  const book = new Map<string, PriceRow[]>()
  const models = [...new Set(llm_ids)]
  if (models.length === 0) return book
  const resolved = new Map(models.map((model) => [model, findDefaultModel(model)]))
  const named = [
    ...models,
    ...[...resolved.values()].flatMap((found) => (found === undefined ? [] : [found.llm_id])),
  ]
  const statement = selectPrices(project_id, models, named)
  const rows = await db.rows<StoredPrice>(statement, { name: 'prices of models', kind: 'point' })
  const prices = rows.map((row) => priceRow(project_id, row))
  for (const model of models) {
    const found = resolved.get(model)
    const own = prices.filter((price) => price.pricing_level === 'project' && price.llm_id === model)
    const builtIn = prices.filter((price) => {
      if (price.pricing_level === 'project') return false
      if (found === undefined) return price.llm_id === model
      return price.llm_id === found.llm_id && price.provider_id === found.provider_id
    })
    book.set(model, [...own, ...builtIn])
  }
  return book
}

/** The project's prices with the names in `models`, and the built-in ones with the names in `builtIn`. */
export function selectPrices(project_id: string, models: readonly string[], builtIn: readonly string[]): Sql {
  return sql`${ROW} ${from(project_id, 'prices')} AND llm_id IN ${models}
UNION ALL ${ROW} ${from(DEFAULT_LEVEL, 'prices')} AND llm_id IN ${builtIn}`
}

/** The times between `start` and `end` at which any price becomes effective; usage is summed separately between them. */
export async function findPriceChanges(
  db: Database,
  project_id: string,
  { start, end }: { readonly start: Micros; readonly end: Micros },
): Promise<Micros[]> {
  const statement = selectPriceChanges(project_id, start, end)
  const rows = await db.rows<{ change: string }>(statement, { name: 'price changes', kind: 'point' })
  return rows.map(({ change }) => BigInt(change))
}

export function selectPriceChanges(project_id: string, start: Micros, end: Micros): Sql {
  const dates = (level: string): Sql => sql`SELECT toUnixTimestamp64Micro(effective_date) AS change
${from(level, 'prices')} AND effective_date > ${moment(start)} AND effective_date < ${moment(end)}`
  return sql`SELECT DISTINCT change FROM (${dates(project_id)} UNION ALL ${dates(DEFAULT_LEVEL)}) ORDER BY change`
}

function priceRow(project_id: string, row: StoredPrice): PriceRow {
  return {
    ...row,
    effective_date: parseTime(row.effective_date) ?? 0n,
    created_at: parseTime(row.created_at) ?? 0n,
    pricing_level_id: row.pricing_level === 'project' ? project_id : DEFAULT_LEVEL,
  }
}

/** Inserts prices that do not exist yet; existing ones keep their creation time. */
export async function insertPrices(
  db: Database,
  project_id: string,
  prices: readonly PriceRow[],
  now: Micros,
): Promise<void> {
  const ids = prices.map((price) => price.id)
  const versions = await findVersions(db, project_id, 'prices', ids)
  const missing = prices.filter((price) => versions.get(price.id)?.is_deleted !== false)
  await writePrices(
    db,
    project_id,
    missing.map((price) => ({ price, version: nextVersion(now, versions.get(price.id)?.version) })),
  )
}

async function writePrices(
  db: Database,
  project_id: string,
  prices: readonly { readonly price: PriceRow; readonly version: string }[],
): Promise<void> {
  await db.insert(
    'prices',
    prices.map(({ price, version }) => {
      const { pricing_level_id: _, ...columns } = price
      return {
        ...columns,
        project_id,
        effective_date: formatTime(price.effective_date),
        created_at: formatTime(price.created_at),
        version,
        is_deleted: 0,
      }
    }),
  )
}

export async function purgePrices(
  db: Database,
  project_id: string,
  ids: readonly string[],
  now: Micros,
): Promise<void> {
  await softDeleteRecords(db, project_id, 'prices', ids, now)
}

/**
 * Updates the built-in prices in the table to those of this release: inserts new and corrected ones, deletes removed ones.
 * Nodes that start together write the same rows. Without changes nothing is written.
 */
export async function replaceDefaultPrices(
  db: Database,
  prices: readonly PriceRow[],
  now: Micros,
): Promise<number> {
  const stored = await db.rows<StoredPrice>(selectDefaultPrices, { name: 'prices built in', kind: 'scan' })
  const known = new Map(stored.map((row) => [row.id, row]))
  const changed = prices.filter((price) => {
    const row = known.get(price.id)
    return row === undefined || !isSamePrice(priceRow(DEFAULT_LEVEL, row), price)
  })
  const current = new Set(prices.map((price) => price.id))
  const removed = stored.filter((row) => !current.has(row.id)).map((row) => row.id)
  const versions = await findVersions(
    db,
    DEFAULT_LEVEL,
    'prices',
    changed.map((price) => price.id),
  )
  await writePrices(
    db,
    DEFAULT_LEVEL,
    changed.map((price) => ({ price, version: nextVersion(now, versions.get(price.id)?.version) })),
  )
  await softDeleteRecords(db, DEFAULT_LEVEL, 'prices', removed, now)
  return changed.length + removed.length
}

export const selectDefaultPrices: Sql = sql`${ROW} ${from(DEFAULT_LEVEL, 'prices')}`

function isSamePrice(a: PriceRow, b: PriceRow): boolean {
  const keys = Object.keys(b) as (keyof PriceRow)[]
  return keys.every((key) => key === 'created_at' || a[key] === b[key])
}
