import { unprocessable } from '../../../contract/api-error.ts'
import { NAMED_FIELDS, SCORE_FIELDS } from '../../../contract/calls/call-fields.ts'
import { splitPath } from '../../../core/query/path.ts'
import {
  type ColumnField,
  type Field,
  type FieldLocation,
  type Fields,
  unknownField,
} from '../../query/field.ts'
import { identifier, type Sql, sql } from '../../query/sql.ts'
import {
  END_COLUMNS,
  KEY_COLUMNS,
  NAME_COLUMNS,
  SENDER_COLUMNS,
  START_COLUMNS,
} from '../columns/call-columns.ts'
import type { FieldType } from '../columns/column-codecs.ts'
import { documents, storedTexts } from '../columns/documents.ts'
import { FEEDBACK_FIELDS, feedbackOfCall, scoreOfCall, tagsOfCall } from './feedback-field.ts'
import type { DocumentFields, ExtractedFields } from './extracted-fields.ts'
import { namedField } from '../columns/named-fields.ts'
import { queueOfCall } from './queue-field.ts'
import { traceField } from './trace-fields.ts'
import type { RefJoins } from './ref-joins.ts'

/** What fields are resolved with, besides the columns of calls. */
export interface FieldSources {
  /** Resolves fields of referenced objects. */
  readonly refJoins?: RefJoins | undefined
  /** The costs of calls, by prices that were read before (src/store/costs/call-cost.ts). */
  readonly cost?: Sql | undefined
  /** Fields that are read from documents, because few of their values are extracted (document-field-sampler.ts). */
  readonly documentFields?: DocumentFields | undefined
  /** Only heads of traces are selected, so that some fields are those of their traces (trace-fields.ts). */
  readonly isTracesOnly?: boolean | undefined
  /** Names that a resource has for fields of calls: resolves them with the fields of calls. */
  readonly renamed?: ((fields: Fields) => Fields) | undefined
}

/**
 * Resolves field names of queries on calls. With `extracted`, values inside documents are read from the extracted
 * fields.
 */
export function callFields(
  project_id: string,
  sources: FieldSources = {},
  extracted?: ExtractedFields,
): Fields {
  const { refJoins, cost, renamed, ...others } = sources
  if (renamed !== undefined) return renamed(callFields(project_id, { refJoins, cost, ...others }, extracted))
  return (path, raw, loc) => {
    const [name = '', ...rest] = path
    const field =
      (sources.isTracesOnly === true ? traceField(project_id, raw) : undefined) ??
      (raw === QUEUE_FIELD ? queueOfCall(project_id) : undefined) ??
      (raw === 'tags' ? tagsOfCall(project_id, identifier('field_tags')) : namedField(raw)) ??
      (raw === 'cost' ? costField(cost, loc) : undefined) ??
      refJoins?.find(path) ??
      (rest.length === 0 ? columns.get(name) : undefined) ??
      jsonField(name, rest, extracted) ??
      feedbackField(project_id, raw, path)
    if (field !== undefined) return field
    if (/^(?:total_)?storage_size_bytes$/.test(name)) {
      throw unprocessable(loc ?? ['query'], `${raw} can be returned, but not filtered or sorted by`)
    }
    throw unknownField(raw, ALLOWED, loc)
  }
}

function costField(cost: Sql | undefined, loc: FieldLocation = ['query']): ColumnField {
  if (cost === undefined) throw unprocessable(loc, 'cost can only be used to filter and sort calls')
  return { kind: 'column', type: 'float', sql: cost, unset: 'null' }
}

function feedbackField(
  project_id: string,
  raw: string,
  [name, ...rest]: readonly string[],
): Field | undefined {
  if (name === SCORE_FIELDS) return scoreOfCall(project_id, rest)
  const path = NAMED_FEEDBACK.get(raw) ?? (name === 'feedback' ? rest : undefined)
  return path === undefined ? undefined : feedbackOfCall(project_id, path)
}

/** `note` and `reaction`, by the path after `feedback`. */
const NAMED_FEEDBACK: ReadonlyMap<string, readonly string[]> = new Map(
  NAMED_FIELDS.flatMap((field) =>
    'notInSql' in field && field.notInSql === 'feedback'
      ? [[field.name, splitPath(field.path).slice(1)]]
      : [],
  ),
)

const NO_TIME = sql`CAST(NULL AS Nullable(DateTime64(6, 'UTC')))`

const columns: ReadonlyMap<string, ColumnField> = new Map<string, ColumnField>([
  ...[KEY_COLUMNS, START_COLUMNS, END_COLUMNS, NAME_COLUMNS, SENDER_COLUMNS].flatMap(columnFields),
  // Deleted calls are never returned, and calls do not expire.
  ['deleted_at', { kind: 'column', type: 'time', sql: NO_TIME, unset: 'null' }],
  ['expire_at', { kind: 'column', type: 'time', sql: NO_TIME, unset: 'null' }],
])

function columnFields(
  table: Readonly<Record<string, { readonly field: FieldType | undefined }>>,
): [string, ColumnField][] {
  return Object.entries(table).flatMap(([name, { field }]): [string, ColumnField][] =>
    field === undefined ? [] : [[name, { kind: 'column', ...field, sql: identifier(name) }]],
  )
}

function jsonField(
  name: string,
  path: readonly string[],
  extracted: ExtractedFields | undefined,
): Field | undefined {
  // A call that was created from a span shows the span in its attributes, but stores it in `otel_dump`.
  if (name === 'attributes' && path[0] === 'otel_span') {
    const document = sql`if(otel_dump != '', otel_dump, JSONExtractRaw(attributes, 'otel_span'))`
    return { kind: 'json', document, path: path.slice(1) }
  }
  if (name === 'otel_dump') return { kind: 'json', document: identifier(name), path }
  const document = documents.get(name)
  if (document === undefined) return undefined
  return extracted?.find([name, ...path]) ?? { kind: 'json', document, path, stored: storedTexts.get(name) }
}

const QUEUE_FIELD = 'annotation_queue_items.queue_id'

const ALLOWED = [
  ...columns.keys(),
  ...[...documents.keys()].map((name) => `${name}.*`),
  ...NAMED_FIELDS.flatMap((field) =>
    'path' in field && field.path.startsWith('summary.') ? [field.path] : [],
  ),
  QUEUE_FIELD,
  ...NAMED_FIELDS.map(({ name }) => name),
  `${SCORE_FIELDS}.*`,
  ...FEEDBACK_FIELDS,
]
