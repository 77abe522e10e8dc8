import type { FeedbackCreate, FeedbackStored } from '../../contract/feedback/feedback.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { checkFeedback } from '../../core/feedback/feedback-payload.ts'
import { normalizedJson } from '../../core/json/normalized-json.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { formatTime, type Micros } from '../../core/time/time.ts'
import {
  type FeedbackRow,
  findFeedback,
  insertFeedback,
  purgeFeedback,
} from '../../store/feedback/feedback.ts'
import { queryFeedback } from '../../store/feedback/feedback-query.ts'
import { requestedPage } from '../../store/query/page.ts'
import { checkAnnotations } from './annotation-schemas.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { purgedIds } from './purge-query.ts'

type FeedbackOperation =
  | 'feedback_create'
  | 'feedback_create_batch'
  | 'feedback_replace'
  | 'feedback_query'
  | 'feedback_purge'

/** Handlers for feedback: create, replace, query, purge. */
export function feedbackHandlers(deps: Deps): Pick<Handlers, FeedbackOperation> {
  const { db } = deps
  return {
    feedback_create: async (request, caller) => {
      const [stored] = await createFeedback(deps, [request], caller)
      return stored!
    },
    feedback_create_batch: async (request, caller) => ({
      res: await createFeedback(deps, request.batch, caller),
    }),
    feedback_replace: async (request, caller) => {
      const now = deps.now()
      const row = newFeedbackRow(request, request.feedback_id, caller, now)
      await checkAnnotations(db, [row])
      const current = (await findFeedback(db, row.project_id, [row.id])).get(row.id)
      // A resend changes nothing: the record keeps its creation time.
      if (current !== undefined && hasSameContent(current, row)) return viewStored(current)
      await insertFeedback(db, [row], now)
      return viewStored(row)
    },
    feedback_query: async (request, caller) => {
      const fields = request.fields?.length ? request.fields : undefined
      const page = await queryFeedback(db, {
        project_id: request.project_id,
        fields,
        query: parseQuery(request.query),
        sort_by: request.sort_by,
        ...requestedPage(request),
      })
      if (fields !== undefined) return page
      const rows = withoutEmptyColumns(page.result)
      const isOld = caller.rejectsUnknownFields === true
      return { ...page, result: rows.map(isOld ? withoutEmptyScores : withItemRef) }
    },
    feedback_purge: async (request) => {
      await purgeFeedback(db, request.project_id, purgedIds(request.query), deps.now())
      return {}
    },
  }
}

/**
 * Stores new feedback. If an id exists, nothing changes and the existing record is returned: the request is a resend,
 * perhaps overtaken by a replace, and must not restore old content.
 */
async function createFeedback(
  deps: Deps,
  batch: readonly FeedbackCreate[],
  caller: Caller,
): Promise<FeedbackStored[]> {
  const now = deps.now()
  // The times are a microsecond apart, so that a batch is listed in its order.
  const rows = batch.map((item, i) => newFeedbackRow(item, item.id ?? deps.newId(), caller, now + BigInt(i)))
  await checkAnnotations(deps.db, rows)
  const givenIds = batch.flatMap(({ project_id, id }) => (typeof id === 'string' ? [{ project_id, id }] : []))
  const known = new Map<string, FeedbackRow>()
  for (const project_id of new Set(givenIds.map((key) => key.project_id))) {
    const ids = givenIds.flatMap((key) => (key.project_id === project_id ? [key.id] : []))
    for (const row of (await findFeedback(deps.db, project_id, ids)).values())
      known.set(feedbackKey(row), row)
  }
  const fresh: FeedbackRow[] = []
  for (const row of rows) {
    if (known.has(feedbackKey(row))) continue
    known.set(feedbackKey(row), row)
    fresh.push(row)
  }
  await insertFeedback(deps.db, fresh, now)
  return rows.map((row) => viewStored(known.get(feedbackKey(row)) ?? row))
}

type Columns = Readonly<Record<string, unknown>>

/** Columns that the specification names; they are null where nothing was sent. */
const SPECIFIED = ['payload', 'creator', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

/** Omits other columns that are empty in all records: most kinds of feedback use none of them. */
function withoutEmptyColumns(rows: readonly Columns[]): Columns[] {
  const used = new Set(SPECIFIED)
  for (const row of rows)
    for (const [key, value] of Object.entries(row)) if (!used.has(key) && hasContent(value)) used.add(key)
  return rows.map((row) => withColumns(row, (key) => used.has(key)))
}

/** Omits empty scorer and span fields, for clients that predate them. */
function withoutEmptyScores(row: Columns): Record<string, unknown> {
  return withColumns(row, (key, value) => !/^(scorer|span)_/.test(key) || hasContent(value))
}

/** The two names of one ref: `item_ref` in the specification, `weave_ref` in SDKs. */
function withItemRef({ weave_ref, ...row }: Columns): Record<string, unknown> {
  return { weave_ref, item_ref: weave_ref, ...row }
}

function withColumns(
  row: Columns,
  isKept: (key: string, value: unknown) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([key, value]) => isKept(key, value)))
}

/** Null, '', [] and {} are empty. */
function hasContent(value: unknown): boolean {
  if (value instanceof RawJson) return !EMPTY_OBJECT.test(value.text)
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== '' && value !== 'UNSET'
}

function feedbackKey(row: FeedbackRow): string {
  return JSON.stringify([row.project_id, row.id])
}

const EMPTY_OBJECT = /^\{\s*\}$/

/** Builds the row to store. `wb_user_id` is the authenticated caller, whatever the body contains. */
function newFeedbackRow(
  request: Omit<FeedbackCreate, 'id'>,
  id: string,
  caller: Caller,
  now: Micros,
): FeedbackRow {
  const refs = {
    annotation_ref: request.annotation_ref ?? null,
    runnable_ref: request.runnable_ref ?? null,
    call_ref: request.call_ref ?? null,
    trigger_ref: request.trigger_ref ?? null,
  }
  const scores = {
    scorer_tags: request.scorer_tags ?? [],
    scorer_tag_reasons: request.scorer_tag_reasons?.text ?? '{}',
    scorer_tag_confidences: request.scorer_tag_confidences?.text ?? '{}',
    scorer_ratings: request.scorer_ratings?.text ?? '{}',
    scorer_rating_reasons: request.scorer_rating_reasons?.text ?? '{}',
    scorer_rating_confidences: request.scorer_rating_confidences?.text ?? '{}',
  }
  const { feedback_type } = request
  const hasScores = Object.values(scores).some(
    (score) => score.length > 0 && !EMPTY_OBJECT.test(String(score)),
  )
  const payload = checkFeedback({ feedback_type, payload: request.payload, ...refs, hasScores })
  return {
    project_id: request.project_id,
    id,
    weave_ref: request.weave_ref ?? request.item_ref ?? '',
    wb_user_id: caller.user_id,
    creator: request.creator ?? null,
    created_at: formatTime(now),
    feedback_type,
    payload: payload.text,
    payload_normalized: normalizedJson(payload.bytes)?.toString('utf8') ?? '',
    ...refs,
    queue_id: request.queue_id ?? null,
    ...scores,
    span_agent_name: request.span_agent_name ?? '',
    span_agent_version: request.span_agent_version ?? '',
    span_status_code: request.span_status_code ?? 'UNSET',
    span_conversation_id: request.span_conversation_id ?? '',
    span_trace_id: request.span_trace_id ?? '',
    scorer_trace_id: request.scorer_trace_id ?? '',
  }
}

function hasSameContent(a: FeedbackRow, b: FeedbackRow): boolean {
  const keys = Object.keys(b) as (keyof FeedbackRow)[]
  return keys.every((key) => key === 'created_at' || JSON.stringify(a[key]) === JSON.stringify(b[key]))
}

function viewStored(row: FeedbackRow): FeedbackStored {
  const { id, created_at, wb_user_id, payload } = row
  return { id, created_at, wb_user_id, payload: RawJson.fromText(payload) }
}
