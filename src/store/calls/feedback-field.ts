import { REF_PREFIX } from '../../contract/objects/ref.ts'
import type { ColumnField, Field, JsonField } from '../query/field.ts'
import { from } from '../query/scope.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'

/**
 * `feedback.[type].payload.path`: the feedback of a call, in queries about calls. Of the types that one call has
 * many of (and of `*`) any record may match; of the others the newest counts.
 */
export const FEEDBACK_FIELDS = [
  'feedback.[<type or *>].payload.*',
  'feedback.[<type or *>].runnable_ref',
  'feedback.[<type or *>].trigger_ref',
]

const MANY: ReadonlySet<string> = new Set([
  '*',
  'wandb.reaction.1',
  'wandb.note.1',
  'wandb.agent_user_feedback',
])

export const PAYLOAD = sql`if(payload_query_form = '', payload, payload_query_form)`

/** `rest` is the path after `feedback`; undefined when it names nothing. */
export function feedbackOfCall(project_id: string, rest: readonly string[]): Field | undefined {
  const [bracketed = '', name = '', ...path] = rest
  if (!/^\[.+\]$/s.test(bracketed)) return undefined
  const type = bracketed.slice(1, -1)
  if (name === 'payload') {
    const newest = lookUp(project_id, type, PAYLOAD)
    return field(
      project_id,
      type,
      { kind: 'json', document: PAYLOAD, path },
      { kind: 'json', document: newest, path },
    )
  }
  if ((name !== 'runnable_ref' && name !== 'trigger_ref') || path.length > 0) return undefined
  const ref = identifier(name)
  const newest = lookUp(project_id, type, sql`ifNull(${ref}, '')`)
  return field(
    project_id,
    type,
    { kind: 'column', type: 'text', sql: ref, unset: 'null' },
    { kind: 'column', type: 'text', sql: newest, unset: 'empty' },
  )
}

type OneField = ColumnField | JsonField

/** One value per call reads as '' where there is none, like any other: `$not $eq ''` asks whether there is one. */
function field(project_id: string, type: string, each: OneField, one: OneField): Field {
  if (!MANY.has(type)) return one
  const matches = (condition: Sql): Sql =>
    sql`(id IN (SELECT ${callId(project_id)} ${records(project_id, type)} AND ${condition}))`
  return { kind: 'many', each, one, matches }
}

/** Feedback of a type about calls of the project; of any type for `*`. */
export function records(project_id: string, type: string): Sql {
  const source = sql`${from(project_id, 'feedback')} AND startsWith(weave_ref, ${callPrefix(project_id)})`
  return type === '*' ? source : sql`${source} AND feedback_type = ${type}`
}

function newestOf(project_id: string, type: string): Sql {
  return sql`${records(project_id, type)} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref`
}

export function callPrefix(project_id: string): string {
  return `${REF_PREFIX}${project_id}/call/`
}

/** The id of the call that a record of feedback is about. */
export function callId(project_id: string): Sql {
  return sql`substring(weave_ref, ${Buffer.byteLength(callPrefix(project_id)) + 1})`
}

/** The newest record's value for each call, looked up by the call's id: what sorting goes by. */
function lookUp(project_id: string, type: string, value: Sql): Sql {
  const newest = newestOf(project_id, type)
  const ids = sql`(SELECT groupArray(call_id) FROM (SELECT ${callId(project_id)} AS call_id ${newest}))`
  const values = sql`(SELECT groupArray(value) FROM (SELECT ${value} AS value ${newest}))`
  return sql`transform(id, ${ids}, ${values}, '')`
}
