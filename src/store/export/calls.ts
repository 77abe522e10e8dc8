import { documents } from '../calls/columns/documents.ts'
import { HAS_EXCEPTION } from '../calls/columns/named-fields.ts'
import { from } from '../query/scope.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportSource, optionalColumn, withinRange } from './source.ts'
import type { FieldReader } from '../calls/read/field-sources.ts'
import { type MatchingCalls, readConditions } from '../calls/read/list-calls.ts'
import { callColumns, streamCalls } from '../calls/read/select-calls.ts'
import { callOrder } from '../calls/read/selection.ts'

/** As in responses: a call that has not ended is running, even if a descendant failed. */
const STATUS = sql`multiIf(${HAS_EXCEPTION}, 'error', isNull(ended_at), 'running', toFloat64OrNull(JSONExtractString(${documents.get('summary')!}, 'status_counts', 'error')) > 0, 'descendant_error', 'success')`

const LATENCY_MS = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

/** The exported columns of a call: payloads as sent, and the values of `summary.weave`. */
const COLUMNS = [
  exportColumn('id', 'text'),
  exportColumn('project_id', 'text'),
  exportColumn('op_name', 'text'),
  optionalColumn('display_name'),
  exportColumn('trace_id', 'text'),
  optionalColumn('parent_id'),
  optionalColumn('thread_id'),
  optionalColumn('turn_id'),
  exportColumn('started_at', 'time'),
  exportColumn('ended_at', 'time'),
  exportColumn('status', 'text', STATUS),
  exportColumn('latency_ms', 'number', LATENCY_MS),
  exportColumn('attributes', 'json', sql`if(attributes = '', '{}', attributes)`),
  exportColumn('inputs', 'json', sql`if(inputs = '', '{}', inputs)`),
  optionalColumn('output', 'json'),
  exportColumn('exception', 'text'),
  optionalColumn('summary', 'json'),
  optionalColumn('wb_user_id'),
  optionalColumn('sent_by'),
  optionalColumn('wb_run_id'),
  exportColumn('wb_run_step', 'number'),
  exportColumn('wb_run_step_end', 'number'),
  optionalColumn('otel_dump', 'json'),
]

/** Compiles which calls are exported, as in every list of calls. */
export async function readExportedCalls(reader: FieldReader, calls: MatchingCalls): Promise<ExportSource> {
  return exportedCalls(calls.project_id, await readConditions(reader, calls))
}

export function exportedCalls(project_id: string, conditions: readonly Sql[]): ExportSource {
  const rows = (within: Sql): Sql => sql`${from(project_id, 'calls')} AND ${and([within, ...conditions])}`
  return {
    what: 'calls',
    columns: COLUMNS,
    rows,
    keys: rows,
    streamCalls: (db, paths, range) =>
      streamCalls(
        db,
        {
          project_id,
          conditions: [withinRange('calls', range), ...conditions],
          order: callOrder(project_id, undefined),
          columns: callColumns(paths),
          page: { limit: undefined, offset: undefined },
        },
        'export',
      ),
  }
}
