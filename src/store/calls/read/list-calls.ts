import type { CallsFilter } from '../../../contract/calls/calls-filter.ts'
import type { SortBy } from '../../../contract/fields.ts'
import type { CallCopier } from '../../../core/calls/call-copy.ts'
import type { StoredCallRow } from '../../../core/calls/call-view.ts'
import type { BatchedStream } from '../../../core/concurrency/batched-stream.ts'
import type { Operand } from '../../../core/query/ast.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Page } from '../../query/page.ts'
import type { Sql } from '../../query/sql.ts'
import { type FieldReader, readFieldSources } from './field-sources.ts'
import { fieldValues } from './group-keys.ts'
import { type Direction, isAfter } from './page-boundary.ts'
import {
  type CallColumn,
  type CallPosition,
  type CallSelection,
  callColumns,
  countByExtractedFields,
  countCalls,
  isSmallPage,
  startedWithin,
  streamCalls,
} from './select-calls.ts'
import { RefJoins } from './ref-joins.ts'
import { callConditions, callOrder, compileSelection, timeDirection } from './selection.ts'
import { sizeOfCalls } from './sizes.ts'
import type { TimePageReader } from './time-page.ts'

/** Which calls, in the words of a request. */
export interface MatchingCalls {
  readonly project_id: string
  readonly filter: CallsFilter | null | undefined
  readonly query: Operand | undefined
  readonly expand_columns?: readonly string[] | null | undefined
}

/** Restricts a list to a range of start times. */
export interface CallRange {
  /** Only calls after this one, in the requested order. */
  readonly after?: { readonly call: CallPosition; readonly direction: Direction } | undefined
  readonly from?: Micros | undefined
  readonly before?: Micros | undefined
}

export interface CallList extends MatchingCalls {
  readonly range?: CallRange | undefined
  /** By start time if it is missing; an empty list means no order. */
  readonly sort_by?: SortBy
  readonly page?: Page | undefined
  /** Paths of columns; all columns if it is empty or missing. */
  readonly columns?: readonly string[] | undefined
  /** Adds `field_values` of these fields. */
  readonly fields?: readonly string[] | undefined
  readonly with_size?: boolean | undefined
  readonly with_placeholders?: boolean | undefined
  readonly preview_characters?: number | null | undefined
  readonly preview_messages?: boolean | null | undefined
  /** Copies rows with these columns instead of parsing them. */
  readonly rowCopier?: ((columns: readonly CallColumn[]) => CallCopier | undefined) | undefined
  /** Reads by one statement. Others read short pages in time order by several, which is faster for the first calls. */
  readonly inOneStatement?: boolean | undefined
}

export interface CallReader extends FieldReader {
  readonly timePages: TimePageReader
}

const WHOLE_LIST: Page = { limit: undefined, offset: undefined }

/** Compiles and runs a list of calls. */
export async function listCalls(reader: CallReader, list: CallList): Promise<BatchedStream<StoredCallRow>> {
  const { project_id, filter, query, sort_by, range = {}, fields = [] } = list
  const refJoins = new RefJoins(project_id, list.expand_columns)
  const sources = await readFieldSources(reader, project_id, query, { sort_by, fields, refJoins })
  const rangeConditions = startedWithin(range)
  const compiled = compileSelection(project_id, filter, query, sources, rangeConditions)
  const columns = callColumns(list.columns)
  const selection: CallSelection = {
    project_id,
    conditions: [...rangeConditions, ...compiled.conditions],
    order: callOrder(project_id, sort_by, sources),
    columns,
    copyRow: list.rowCopier?.(columns),
    page: list.page ?? WHOLE_LIST,
    refJoins,
    with_size: list.with_size,
    field_values: fields.length === 0 ? undefined : fieldValues(project_id, fields, { cost: sources.cost }),
    preview_characters: list.preview_characters,
    preview_messages: list.preview_messages,
    with_placeholders: list.with_placeholders,
  }
  const { after } = range
  const inTimeOrder = list.inOneStatement !== true && refJoins.isEmpty && isSmallPage(selection.page)
  const direction = inTimeOrder ? timeDirection(filter, sort_by) : undefined
  if (direction !== undefined) {
    const page = { selection, direction, prefilter: compiled.prefilter(rangeConditions) }
    return reader.timePages.read(page, after?.call)
  }
  const afterCondition = after === undefined ? [] : [isAfter(after.call, after.direction)]
  return streamCalls(reader.db, { ...selection, conditions: [...afterCondition, ...selection.conditions] })
}

export interface CallCount {
  readonly count: number
  /** Bytes of the payloads of all matching calls; undefined unless requested. */
  readonly size: number | undefined
}

/** Compiles and runs a count of calls, which stops at `limit`. */
export async function countMatchingCalls(
  reader: FieldReader,
  calls: MatchingCalls,
  { limit, with_size = false }: { readonly limit?: number | undefined; readonly with_size?: boolean } = {},
): Promise<CallCount> {
  const { db } = reader
  const { project_id, filter, query } = calls
  const refJoins = new RefJoins(project_id, calls.expand_columns)
  const sources = await readFieldSources(reader, project_id, query, { refJoins })
  const { conditions, extracted } = compileSelection(project_id, filter, query, sources)
  const onExtracted = limit === undefined ? extracted : undefined
  const count =
    (onExtracted && (await countByExtractedFields(db, project_id, onExtracted))) ??
    (await countCalls(db, project_id, conditions, limit, refJoins))
  return { count, size: with_size ? await sizeOfCalls(db, project_id, conditions, refJoins) : undefined }
}

/** The conditions of a list, for statements that read matching calls in another way. */
export async function readConditions(
  reader: FieldReader,
  { project_id, filter, query }: MatchingCalls,
): Promise<readonly Sql[]> {
  return callConditions(project_id, filter, query, await readFieldSources(reader, project_id, query))
}
