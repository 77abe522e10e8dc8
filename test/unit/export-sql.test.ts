import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { ExportCursor } from '../../src/core/export/export-cursor.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { callConditions } from '../../src/store/calls/read/selection.ts'
import { selectExport, selectExportCount, selectPiece } from '../../src/store/export/export.ts'
import { exportedCalls } from '../../src/store/export/calls.ts'
import { exportedFeedback } from '../../src/store/export/feedback.ts'
import { exportedFiles } from '../../src/store/export/files.ts'
import { exportedObjects } from '../../src/store/export/objects.ts'
import type { ExportSource } from '../../src/store/export/source.ts'
import { exportedTables } from '../../src/store/export/tables.ts'
import { selectParquetFile } from '../../src/store/export/parquet-file.ts'
import type { Sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const AT = 1_767_225_600_000_001n

const is = (field: string) =>
  parseQuery(RawJson.fromValue({ $expr: { $eq: [{ $getField: field }, { $literal: HOSTILE }] } }))

test('the export statements bind every value, keep the tenant outside the conditions and read in key order', async () => {
  const conditions = callConditions(PROJECT, { trace_ids: [HOSTILE] }, is('op_name'))
  const cases: [string, ExportSource, ExportCursor, ExportCursor][] = [
    ['calls', exportedCalls(PROJECT, conditions), [AT, HOSTILE], [AT + 1n, 'b']],
    ['feedback', exportedFeedback(PROJECT, is('feedback_type')), [AT, HOSTILE], [AT + 1n, 'b']],
    ['objects', exportedObjects(PROJECT, { object_ids: [HOSTILE] }), [AT, HOSTILE, 'd'], [AT, 'z', 'd']],
    ['tables', exportedTables(PROJECT, [HOSTILE]), [HOSTILE, 3], ['z', 4]],
    ['files', exportedFiles(PROJECT, [HOSTILE]), [HOSTILE, 3], ['z', 4]],
  ]
  const statements = cases.flatMap(([what, source, after, until]): [string, Sql][] => [
    [`export ${what}`, selectExport(source, source.columns.slice(0, 4), { after, until })],
    [`export ${what} piece`, selectPiece(source, after, 1_000)],
    [`export ${what} counted`, selectExportCount(source, undefined)],
  ])
  await expect(
    show([...statements, ['parquet file', selectParquetFile(['started_at', 'id'])]]),
  ).toMatchFileSnapshot('./snapshots/export.sql')
})
