import type { SortBy } from '../../contract/fields.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Operand } from '../../core/query/ast.ts'
import { splitPath } from '../../core/query/path.ts'
import type { Database } from '../database/database.ts'
import { FEEDBACK_COLUMNS, feedbackFields, findFeedbackField, ITEM_REF } from './feedback-fields.ts'
import { compileCondition } from '../query/compile.ts'
import { jsonValue } from '../query/json-value.ts'
import { compileSort } from '../query/sort.ts'
import { page, type Page } from '../query/page.ts'
import { from } from '../query/scope.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

export interface FeedbackQuery extends Page {
  readonly project_id: string
  readonly fields: readonly string[] | undefined
  readonly query: Operand | undefined
  readonly sort_by: SortBy
}

export interface FeedbackPage {
  readonly result: Record<string, unknown>[]
  readonly total_count: number
}

const COUNT = 'count(*)'

export async function queryFeedback(db: Database, request: FeedbackQuery): Promise<FeedbackPage> {
  const fields = request.fields ?? FEEDBACK_COLUMNS
  if (fields.includes(COUNT)) return countOnly(db, request, fields)
  const selected = fields.map(selectField)
  const rows = await db.rows<Record<string, unknown>>(pageStatement(request, selected), {
    name: 'feedback query',
    kind: 'scan',
  })
  const result = rows.map((row) =>
    Object.fromEntries(selected.map(({ name, isJson }, i) => [name, decode(row[`c${i}`], isJson)])),
  )
  const isWhole = request.limit === undefined && request.offset === undefined
  return { result, total_count: isWhole ? result.length : await countFeedback(db, request) }
}

export function pageStatement(request: FeedbackQuery, selected: readonly Selected[]): Sql {
  const columns = selected.map(({ expression }, i) => sql`${expression} AS ${identifier(`c${i}`)}`)
  // A stable order, so that pages neither repeat nor skip rows.
  const order = [...compileSort(request.sort_by, feedbackFields), sql`created_at`, sql`id`]
  return sql`SELECT ${join(columns, ', ')} ${matching(request)} ORDER BY ${join(order, ', ')} ${page(request)}`
}

/** The query is in parentheses, so that it cannot weaken the tenant predicate. */
function matching(request: FeedbackQuery): Sql {
  const source = from(request.project_id, 'feedback')
  if (request.query === undefined) return source
  return sql`${source} AND (${compileCondition(request.query, feedbackFields)})`
}

async function countFeedback(db: Database, request: FeedbackQuery): Promise<number> {
  const row = await db.first<{ n: string }>(countStatement(request), { name: 'feedback count', kind: 'scan' })
  return Number(row?.n ?? 0)
}

export function countStatement(request: FeedbackQuery): Sql {
  return sql`SELECT count() AS n ${matching(request)}`
}

async function countOnly(
  db: Database,
  request: FeedbackQuery,
  fields: readonly string[],
): Promise<FeedbackPage> {
  if (fields.length > 1)
    throw new ApiError('invalid_request', `request either ${COUNT} alone or other fields, not both`)
  const total_count = await countFeedback(db, request)
  return { result: [{ [COUNT]: total_count }], total_count }
}

export interface Selected {
  readonly name: string
  readonly expression: Sql
  readonly isJson: boolean
}

/** A column unchanged; a path into a document as text. */
export function selectField(name: string): Selected {
  const path = name.includes('..') || name.endsWith('.') || name === '' ? [] : splitPath(name, ['fields'])
  const field = findFeedbackField(path)
  if (field === undefined || field.kind === 'many') {
    const allowed = [...FEEDBACK_COLUMNS, ITEM_REF, COUNT, 'payload.<key>']
    throw new ApiError('invalid_request', `unknown field "${name}" in fields; allowed: ${allowed.join(', ')}`)
  }
  if (field.kind !== 'json') return { name, expression: field.sql, isJson: false }
  if (field.path.length === 0) return { name, expression: identifier(name), isJson: true }
  return { name, expression: jsonValue(field.document, field.path).text, isJson: false }
}

function decode(value: unknown, isJson: boolean): unknown {
  return isJson ? RawJson.fromText(value as string) : value
}
