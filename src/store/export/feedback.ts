import type { Operand } from '../../core/query/ast.ts'
import { FEEDBACK_COLUMNS, feedbackFields, findFeedbackField } from '../feedback/feedback-fields.ts'
import { compileCondition } from '../query/compile.ts'
import { from } from '../query/scope.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportColumn, type ExportSource } from './source.ts'

/** Feedback records as `feedback/query` returns them. */
const COLUMNS = FEEDBACK_COLUMNS.map((name) => exportColumn(name, columnKind(name)))

function columnKind(name: string): ExportColumn['kind'] {
  const field = findFeedbackField([name])
  if (field?.kind === 'json') return 'json'
  if (field?.kind !== 'column') return 'text'
  return field.type === 'time' ? 'time' : field.type === 'array' ? 'texts' : 'text'
}

export function exportedFeedback(project_id: string, query: Operand | undefined): ExportSource {
  const conditions = query === undefined ? [] : [compileCondition(query, feedbackFields)]
  const rows = (within: Sql): Sql => sql`${from(project_id, 'feedback')} AND ${and([within, ...conditions])}`
  return { what: 'feedback', columns: COLUMNS, rows, keys: rows }
}
