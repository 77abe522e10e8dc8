import { z } from 'zod'
import { ApiError, invalidFields } from '../../contract/api-error.ts'
import { recordId } from '../../contract/fields.ts'
import { OTLP_JSON, type OtlpRequest } from '../../contract/otlp.ts'
import type { ExportResponse } from '../../contract/operation.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from '../../core/json/write.ts'
import { callId } from '../../otlp/call-id.ts'
import type { MappedFeedback } from '../../otlp/mapped.ts'
import { parseBody } from '../../otlp/wire/json.ts'
import { Rejections } from '../../otlp/wire/rejections.ts'
import { NO_RESOURCE } from '../../otlp/wire/values.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { feedbackRecord, storeFeedback } from './feedback.ts'
import { assignProjects } from './projects.ts'

/** What Langfuse's SDKs request besides OTLP: a check of their credentials, and scores. */

type UsedHandlers = Pick<
  Handlers,
  'projects_list' | 'calls_query' | 'feedback_create_batch' | 'feedback_replace'
>

export function langfuseHandlers(
  access: Access,
  handlers: UsedHandlers,
): Pick<Handlers, 'langfuse_projects' | 'langfuse_scores'> {
  return {
    langfuse_projects: async (_request, caller) => {
      const { projects } = await handlers.projects_list({}, caller)
      const own = `${caller.username}/default`
      // The SDK rejects an empty list. Everybody may create projects in the own entity.
      const ids = projects.length === 0 ? [own] : projects.map(({ project_id }) => project_id)
      return { data: ids.map(projectView) }
    },
    langfuse_scores: async (request, caller) => {
      const { isList, scores } = readScores(request)
      const rejections = new Rejections()
      const { assigned } = await assignProjects(access, caller, [{ resource: NO_RESOURCE }], {
        header: request.project_id ?? undefined,
        rejections,
      })
      const project_id = assigned[0]?.project_id ?? ''
      const ids = await storeScores(handlers, caller, { project_id, scores, rejections })
      return response(isList, ids, rejections)
    },
  }
}

function projectView(project_id: string) {
  const [entity = '', name = ''] = project_id.split('/')
  return { id: project_id, name, organization: { id: entity, name: entity }, metadata: {} }
}

const MAX_SCORES = 1_000
const MAX_TEXT_CHARACTERS = 100_000
const MAX_NAME_CHARACTERS = 128

const text = z.string().max(MAX_TEXT_CHARACTERS).nullish()

const score = z.object({
  id: recordId.nullish(),
  traceId: recordId.nullish(),
  observationId: recordId.nullish(),
  name: z.string().min(1).max(MAX_NAME_CHARACTERS),
  value: z.union([z.number(), z.boolean(), z.string().max(MAX_TEXT_CHARACTERS)]),
  comment: text,
  dataType: text,
  environment: text,
  timestamp: text,
  metadata: z.unknown().optional(),
})

type Score = z.output<typeof score>

function readScores({ content_type, body }: OtlpRequest): { isList: boolean; scores: readonly unknown[] } {
  if (content_type !== OTLP_JSON)
    throw invalidFields([{ loc: ['content_type'], msg: 'must be application/json', type: 'literal_error' }])
  // Lists are no documents of OTLP.
  const { scores: sent } = parseBody(Buffer.concat([Buffer.from('{"scores":'), body, Buffer.from('}')]))
  const isList = Array.isArray(sent)
  const scores: readonly unknown[] = isList ? sent : [sent]
  if (scores.length === 0 || !scores.every(isObject))
    throw new ApiError('invalid_request', 'the body must be a score or a list of scores')
  if (scores.length > MAX_SCORES)
    throw invalidFields([
      { loc: [], msg: `at most ${MAX_SCORES} scores may be sent at once`, type: 'too_long' },
    ])
  return { isList, scores }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface ProjectScores {
  readonly project_id: string
  readonly scores: readonly unknown[]
  readonly rejections: Rejections
}

/** Returns the ids of the scores that were stored. */
async function storeScores(
  handlers: UsedHandlers,
  caller: Caller,
  { project_id, scores, rejections }: ProjectScores,
): Promise<string[]> {
  const valid: Score[] = []
  for (const each of scores) {
    const { success, data, error } = score.safeParse(each)
    if (!success) rejections.add(`a score is not valid: ${z.prettifyError(error)}`)
    else if (!data.traceId) rejections.add('only scores of traces and observations are stored')
    else valid.push(data)
  }
  const roots = await findRoots(handlers, caller, project_id, valid)
  const items = valid.map((each) => ({ project_id, feedback: scoreFeedback(each, roots), score: each }))
  // With an id of its own, a score that is sent again replaces the first one.
  for (const item of items.filter(({ score: { id } }) => id)) {
    const { id, ...record } = feedbackRecord(item)
    await handlers.feedback_replace({ ...record, feedback_id: id ?? '' }, caller)
  }
  await storeFeedback(
    handlers.feedback_create_batch,
    caller,
    items.filter(({ score: { id } }) => !id),
    rejections,
  )
  return items.map((item) => item.score.id ?? feedbackRecord(item).id ?? '')
}

/** The roots of the traces that have a score as a whole, as far as they have arrived. */
async function findRoots(
  { calls_query }: UsedHandlers,
  caller: Caller,
  project_id: string,
  scores: readonly Score[],
): Promise<ReadonlyMap<string, string>> {
  const trace_ids = [
    ...new Set(scores.flatMap(({ traceId, observationId }) => (observationId ? [] : (traceId ?? [])))),
  ]
  if (trace_ids.length === 0) return new Map()
  const { calls } = await calls_query(
    {
      project_id,
      filter: { trace_ids, trace_roots_only: true },
      columns: ['id', 'trace_id'],
      limit: MAX_SCORES,
    },
    caller,
  )
  return new Map(calls.map(({ trace_id, id }) => [trace_id, id]))
}

function scoreFeedback(sent: Score, roots: ReadonlyMap<string, string>): MappedFeedback {
  const { id, traceId, observationId, name, value, comment, dataType, environment, timestamp, metadata } =
    sent
  const trace = traceId ?? ''
  const isText = typeof value === 'string'
  const call_id = observationId ? callId(trace, observationId) : (roots.get(trace) ?? trace)
  return {
    call_id,
    feedback_type: `evaluation.${name}`,
    payload: RawJson.fromText(
      writeJson({
        value: isText ? undefined : value,
        label: isText ? value : undefined,
        explanation: comment ?? undefined,
        data_type: dataType ?? undefined,
        environment: environment ?? undefined,
        metadata: metadata ?? undefined,
        target: observationId ? undefined : 'trace',
        trace_id: trace,
      }),
    ),
    key: id
      ? `langfuse/${id}`
      : `langfuse/${trace}/${observationId ?? ''}/${name}/${timestamp ?? ''}/${value}`,
  }
}

function response(isList: boolean, ids: readonly string[], rejections: Rejections): ExportResponse {
  const errors = rejections.list.filter(({ count }) => count > 0)
  const rejected = errors.reduce((sum, { count }) => sum + count, 0)
  const results = {
    accepted: ids.length,
    rejected,
    errors: errors.map(({ reason }) => ({ message: reason })),
  }
  const accepted = isList ? { message: 'Accepted' } : { id: ids[0] }
  const body = Buffer.from(JSON.stringify(rejected > 0 ? results : accepted))
  return { content_type: OTLP_JSON, body, guesses: [], discarded: rejected }
}
