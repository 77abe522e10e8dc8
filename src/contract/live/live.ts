import { z } from 'zod'
import { datetime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { queryFlag, queryList } from '../query-fields.ts'

/**
 * The live feed: changes in a project as server-sent events, without payloads. See
 * docs/decisions/0009-live-feed.md.
 */

/** A position in the log of each shard. */
const CURSOR = /^\d{1,16}\.\d{1,16}\.\d{1,16}\.\d(_\d{1,16}\.\d{1,16}\.\d{1,16}\.\d){0,255}$/

const cursor = z
  .string()
  .meta({ description: 'Cursor to resume after this event; also the id of the SSE event.' })

const call = {
  cursor,
  id: z.string(),
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  thread_id: z.string().nullable(),
  op_name: z.string(),
  display_name: z.string().nullable(),
  started_at: datetime,
  ended_at: datetime.nullable(),
  has_exception: z.boolean(),
  wb_user_id: z.string().nullable(),
}

const liveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), cursor }).meta({ description: 'First event of every stream.' }),
  z.object({ kind: z.literal('reset'), cursor, reason: z.string() }).meta({
    description:
      'The cursor is older than the retained log. Reload the data, then continue from this cursor.',
  }),
  z.object({ kind: z.literal('start'), ...call }),
  z.object({ kind: z.literal('end'), ...call }),
  z
    .object({ kind: z.literal('update'), ...call })
    .meta({ description: 'The call was renamed, or a different end took effect.' }),
  z.object({ kind: z.literal('delete'), cursor, id: z.string() }),
  z.object({
    kind: z.literal('feedback'),
    cursor,
    id: z.string(),
    action: z.enum(['created', 'replaced', 'purged']),
    feedback_type: z.string(),
    weave_ref: z.string(),
    wb_user_id: z.string().nullable(),
  }),
  z
    .object({ kind: z.literal('heartbeat'), cursor })
    .meta({ description: 'Sent every 10 s as a comment with an id, which EventSource does not dispatch.' }),
])

export type LiveEvent = z.output<typeof liveEvent>

const liveKind = z.enum(['start', 'end', 'update', 'delete', 'feedback'])

const liveRequest = projectRequest({
  cursor: z.string().regex(CURSOR, 'must be a cursor returned by this feed').nullish().meta({
    description:
      'Resume after this cursor; the header `Last-Event-ID` takes precedence. Default: start at the present.',
  }),
  kinds: queryList
    .pipe(z.array(liveKind))
    .nullish()
    .meta({
      description: 'Kinds of events, such as `start,end`; default all.',
      items: { type: 'string', enum: liveKind.options },
    }),
  trace_id: z
    .string()
    .max(256)
    .nullish()
    .meta({ description: 'Only calls of this trace. Deletions and feedback are sent for all traces.' }),
  op_name: z.string().max(4096).nullish().meta({ description: 'Only calls of this op, by name or ref.' }),
  follow: queryFlag.nullish().meta({
    description: '`false`: send the stored events after the cursor, then close the stream.',
    type: 'boolean',
  }),
})

export type LiveRequest = z.output<typeof liveRequest>

export const liveOperations = {
  project_live: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/live',
    summary: 'Stream changes of calls and feedback in a project as they are stored.',
    access: 'read',
    request: liveRequest,
    response: liveEvent,
    responseFormat: 'events',
  }),
}
