import type { SpendEntry } from '../../core/models/spend-ledger.ts'
import type { Database } from '../database/database.ts'
import { from, fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Budgets of projects, and the log of what requests to models reserve and cost. */
export interface BudgetRow {
  readonly project_id: string
  readonly limit_per_day: bigint
  readonly changed_by: string
  readonly changed_at: string
}

type Text<Row> = { readonly [Name in keyof Row]: string }

export async function findBudget(db: Database, project_id: string): Promise<BudgetRow | undefined> {
  const row = await db.first<Text<BudgetRow>>(selectBudget(project_id), {
    name: 'model budget',
    kind: 'point',
  })
  return row && { ...row, limit_per_day: BigInt(row.limit_per_day) }
}

export function selectBudget(project_id: string): Sql {
  return sql`SELECT project_id, toString(limit_per_day) AS limit_per_day, changed_by, changed_at ${from(project_id, 'model_budgets')}`
}

export async function writeBudget(
  db: Database,
  row: BudgetRow & { readonly is_deleted: 0 | 1 },
): Promise<void> {
  await db.insert('model_budgets', [{ ...row, limit_per_day: row.limit_per_day.toString() }])
}

/** Where a reader of the log has come to. */
export interface SpendPosition {
  readonly block: string
  readonly offset: string
}

export const LOG_START: SpendPosition = { block: '-1', offset: '-1' }

export interface PlacedEntry extends SpendEntry, SpendPosition {}

export async function listSpend(
  db: Database,
  project_id: string,
  day: string,
  after: SpendPosition,
): Promise<PlacedEntry[]> {
  const rows = await db.rows<Text<PlacedEntry> & { readonly kind: SpendEntry['kind'] }>(
    selectSpend(project_id, day, after),
    { name: 'model spend', kind: 'write' },
  )
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), limit: BigInt(row.limit) }))
}

export function selectSpend(project_id: string, day: string, { block, offset }: SpendPosition): Sql {
  return sql`SELECT id, kind, toString(amount) AS amount, toString(limit_per_day) AS limit,
  toString(_block_number) AS block, toString(_block_offset) AS offset
${fromAllVersions(project_id, 'model_spend')} AND day = toDate(${day})
AND (toInt64(_block_number), toInt64(_block_offset)) > (toInt64(${block}), toInt64(${offset}))
ORDER BY _block_number, _block_offset`
}

export async function writeSpend(
  db: Database,
  project_id: string,
  day: string,
  entry: SpendEntry,
): Promise<void> {
  const { id, kind, amount, limit } = entry
  await db.insert('model_spend', [
    { project_id, day, id, kind, amount: amount.toString(), limit_per_day: limit.toString() },
  ])
}
