import { ApiError } from '../../contract/api-error.ts'
import { EXPORT_CONTENT_TYPES } from '../../contract/export/export.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { encodeChunks } from '../../core/concurrency/batched-stream.ts'
import { csvLine } from '../../core/export/csv.ts'
import { entries, stringValue } from '../../core/json/navigate.ts'
import { toSingleLine } from '../../core/json/single-line.ts'
import { listMemberNames } from '../../store/export/member-names.ts'
import { streamExport, streamParquet } from '../../store/export/export.ts'
import { exportedTables } from '../../store/export/tables.ts'
import { findRowDigests } from '../../store/objects/tables.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** CSV with more columns than this opens in no spreadsheet. The rest is left out. */
const MAX_COLUMNS = 10_000

/** Handler for the download of one table. */
export function tableExportHandlers({ db }: Deps): Pick<Handlers, 'table_export'> {
  return {
    table_export: async ({ project_id, digest, format, name }) => {
      if ((await findRowDigests(db, project_id, digest)) === undefined)
        throw new ApiError('not_found', `there is no table ${digest} in ${project_id}`)
      const source = exportedTables(project_id, [digest])
      const file = (name ?? digest).replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      const headers = {
        'content-type': EXPORT_CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="${file}.${format}"`,
      }
      if (format === 'parquet') return { headers, bytes: streamParquet(db, source, source.columns, {}) }
      const columns = source.columns.filter((column) => column.name === 'val')
      const rows = streamExport(db, source, columns, {}).map((row) => row['val'] as string | null)
      // An empty table is exported as one row without a value.
      if (format === 'jsonl')
        return { headers, bytes: encodeChunks(rows, (val) => (val === null ? '' : `${toSingleLine(val)}\n`)) }
      const names = await listMemberNames(db, project_id, digest, MAX_COLUMNS)
      return {
        headers,
        bytes: encodeChunks(rows, (val) => (val === null ? '' : csvLine(cells(val, names))), csvLine(names)),
      }
    },
  }
}

/** The members of a row in the order of the columns. Texts are written as such, other values as JSON. */
function cells(val: string, names: readonly string[]): unknown[] {
  const members = new Map(entries(RawJson.fromText(val)))
  return names.map((name) => {
    const member = members.get(name)
    if (member === undefined || member.text === 'null') return null
    const number = Number(member.text)
    if (Number.isFinite(number) && String(number) === member.text) return number
    return stringValue(member) ?? member
  })
}
