import { z } from 'zod'
import { datetime } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { queryFlag, queryList } from '../query-fields.ts'

/** What happens in a project, as it is stored. Narrow: whoever wants payloads reads the call. */

const cursor = z
  .string()
  .meta({ description: 'where to go on after this event; also the id of the SSE event' })

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
  z.object({ kind: z.literal('ready'), cursor }).meta({ description: 'the first event of every stream' }),
  z.object({ kind: z.literal('reset'), cursor, reason: z.string() }).meta({
    description: 'the cursor is older than what is kept: read again what you show, then go on from here',
  }),
  z.object({ kind: z.literal('start'), ...call }),
  z.object({ kind: z.literal('end'), ...call }),
  z
    .object({ kind: z.literal('update'), ...call })
    .meta({ description: 'a new name, or another end that counts' }),
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
    .meta({ description: 'every 10 s: a comment and an id, which EventSource shows to nobody' }),
])

export type LiveEvent = z.output<typeof liveEvent>

const liveKind = z.enum(['start', 'end', 'update', 'delete', 'feedback'])

const liveRequest = inProject({
  cursor: z
    .string()
    .regex(/^\d{1,16}\.\d{1,16}\.\d{1,16}\.\d$/, 'must be a cursor that this feed has sent')
    .nullish()
    .meta({
      description: 'go on after this; the header `Last-Event-ID` comes before it. Without one: from now on',
    }),
  kinds: queryList
    .pipe(z.array(liveKind))
    .nullish()
    .meta({ description: '`start,end`: only these; without it all of them' }),
  trace_id: z
    .string()
    .max(256)
    .nullish()
    .meta({ description: 'only calls of this trace; deletions and feedback are told whatever their trace' }),
  op_name: z
    .string()
    .max(4096)
    .nullish()
    .meta({ description: 'only calls of this op, by its name or its ref' }),
  follow: queryFlag.nullish().meta({
    description: '`false`: tell what is stored after the cursor, and end',
    type: 'boolean',
  }),
})

export type LiveRequest = z.output<typeof liveRequest>

export const liveOperations = {
  project_live: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/live',
    summary: 'Follow a project: its calls and feedback as they are stored.',
    access: 'read',
    request: liveRequest,
    response: liveEvent,
    responseFormat: 'events',
  }),
}
