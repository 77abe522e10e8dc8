import { z } from 'zod'
import { CALL_COLUMN_NAMES } from './call-fields.ts'

/** `columns` of requests for calls: which members of a call the response has. */

const COLUMNS = [
  ...CALL_COLUMN_NAMES,
  'sent_by',
  'wb_username',
  'storage_size_bytes',
  'total_storage_size_bytes',
]

/** With a path into it or without. Feedback is returned in the summary; SDKs name it as in queries. */
const DOCUMENTS = ['inputs', 'output', 'attributes', 'summary', 'otel_dump', 'feedback']

const PATTERN = `^(?:(?:${COLUMNS.join('|').replaceAll('.', String.raw`\.`)})$|(?:${DOCUMENTS.join('|')})(?:$|\\.))`

/** A misspelled column would be missing from every call, which looks like calls without a value. */
const callColumn = z
  .string()
  .regex(
    new RegExp(PATTERN),
    `unknown column; allowed: ${[...COLUMNS, ...DOCUMENTS.map((name) => `${name}.*`)].join(', ')}`,
  )

export const callColumnNames = z.array(callColumn).nullish()
