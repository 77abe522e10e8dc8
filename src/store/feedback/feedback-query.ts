import type { SortBy } from '../../contract/fields.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { Operand } from '../../core/query/ast.ts'
import { findAt } from '../../core/json/navigate.ts'
import { splitPath } from '../../core/query/path.ts'
import type { Database } from '../database/database.ts'
import { FEEDBACK_COLUMNS, feedbackFields, findFeedbackField, ITEM_REF } from './feedback-fields.ts'
import { compileCondition } from '../query/compile.ts'
import { unknownField } from '../query/field.ts'
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
  const statement = pageStatement(request, selected)
  const options = { name: 'feedback query', kind: 'scan' } as const
  // Values in documents are streamed, so that the rest of large documents is not kept. Whole rows are retried.
  const hasPaths = selected.some(({ path }) => path !== undefined && path.length > 0)
  const rows = hasPaths ? db.stream<Row>(statement, options) : await db.rows<Row>(statement, options)
  const result: Record<string, unknown>[] = []
  for await (const row of rows) result.push(viewRow(row, selected))
  const isWhole = request.limit === undefined && request.offset === undefined
  return { result, total_count: isWhole ? result.length : await countFeedback(db, request) }
}

export function pageStatement(request: FeedbackQuery, selected: readonly Selected[]): Sql {
  const columns = [...new Set(selected.map(({ column }) => column))].map(
    (column) => sql`${identifier(column)} AS ${identifier(`field_${column}`)}`,
  )
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
  readonly column: string
  /** The path into the document that the column holds; undefined for other columns. */
  readonly path: readonly string[] | undefined
}

export function selectField(name: string, i: number): Selected {
  const loc = ['fields', i]
  const path = splitPath(name, loc)
  const field = findFeedbackField(path)
  if (field === undefined)
    throw unknownField(name, [...FEEDBACK_COLUMNS, ITEM_REF, COUNT, 'payload.<key>'], loc)
  const column = path[0] === ITEM_REF ? 'weave_ref' : path[0]!
  return { name, column, path: field.kind === 'json' ? field.path : undefined }
}

type Row = Readonly<Record<string, unknown>>

function viewRow(row: Row, selected: readonly Selected[]): Record<string, unknown> {
  const documents = new Map<string, RawJson>()
  const documentIn = (column: string): RawJson => {
    const document = documents.get(column) ?? RawJson.fromBytes(Buffer.from(row[`field_${column}`] as string))
    documents.set(column, document)
    return document
  }
  return Object.fromEntries(
    selected.map(({ name, column, path }) => [
      name,
      path === undefined ? row[`field_${column}`] : valueAt(documentIn(column), path),
    ]),
  )
}

/** The value as it was sent; null if there is none. A copy, because a slice would keep the whole document in memory. */
function valueAt(document: RawJson, path: readonly string[]): RawJson | null {
  if (path.length === 0) return document
  const value = findAt(document, path)
  return value === undefined ? null : RawJson.fromText(value.text)
}
