import { TAG_FEEDBACK } from '../../../contract/calls/call-fields.ts'
import { REF_PREFIX } from '../../../contract/objects/ref.ts'
import type { ColumnField, Field, JsonField } from '../../query/field.ts'
import { from } from '../../query/scope.ts'
import { identifier, type Sql, sql } from '../../query/sql.ts'
import { existsCondition, fieldValue } from '../../query/value.ts'

/**
 * `feedback.[type].payload.path`: the feedback of a call, in queries on calls. For types of which a call can have several
 * records, and for `*`, any record may match. For other types only the newest record counts.
 */
export const FEEDBACK_FIELDS = [
  'feedback.[<type or *>].payload.*',
  'feedback.[<type or *>].runnable_ref',
  'feedback.[<type or *>].trigger_ref',
]

const MULTI_VALUED_TYPES: ReadonlySet<string> = new Set([
  '*',
  'wandb.reaction.1',
  'wandb.note.1',
  'wandb.agent_user_feedback',
])

export const PAYLOAD = sql`if(payload_normalized = '', payload, payload_normalized)`

/** `rest` is the path after `feedback`; undefined if it is not a known field. */
export function feedbackOfCall(project_id: string, rest: readonly string[]): Field | undefined {
  const [bracketed = '', name = '', ...path] = rest
  if (!/^\[.+\]$/s.test(bracketed)) return undefined
  const type = bracketed.slice(1, -1)
  if (name === 'payload') {
    const each: JsonField = { kind: 'json', document: PAYLOAD, path }
    const hasField = existsCondition(fieldValue(each))
    const newest = newestValue(project_id, type, PAYLOAD, hasField)
    return field(project_id, type, each, { kind: 'json', document: newest, path })
  }
  if ((name !== 'runnable_ref' && name !== 'trigger_ref') || path.length > 0) return undefined
  const ref = identifier(name)
  const newest = newestValue(project_id, type, sql`ifNull(${ref}, '')`, sql`notEmpty(${ref})`)
  return field(
    project_id,
    type,
    { kind: 'column', type: 'text', sql: ref, unset: 'null' },
    { kind: 'column', type: 'text', sql: newest, unset: 'empty' },
  )
}

/** Types of scores: of people, of scorers, and of OpenTelemetry. */
const SCORE_TYPES = ['wandb.runnable.', 'wandb.annotation.', 'evaluation.', 'annotation.']

/**
 * `scores.name.path`: the newest score of that name on a call, whether a person gave it as an annotation or a scorer
 * returned it. The path leads into its value. Calls without the score satisfy no condition on it.
 */
export function scoreOfCall(project_id: string, [name, ...path]: readonly string[]): Field | undefined {
  if (name === undefined) return undefined
  const types = SCORE_TYPES.map((prefix) => prefix + name)
  const value = sql`multiIf(feedback_type = ${types[0]!}, JSONExtractRaw(${PAYLOAD}, 'output'), JSONHas(${PAYLOAD}, 'value'), JSONExtractRaw(${PAYLOAD}, 'value'), JSONExtractRaw(${PAYLOAD}, 'label'))`
  const scores = sql`SELECT ${callIdOfRef(project_id)} AS call_id, ${value} AS score ${newestRecords(project_id, types)}`
  return {
    kind: 'many',
    each: { kind: 'json', document: sql`score`, path },
    one: { kind: 'json', document: newestValue(project_id, types, value), path },
    matches: (condition) => sql`(id IN (SELECT call_id FROM (${scores}) WHERE ${condition}))`,
  }
}

/**
 * `tags`: what the app sent in the attributes, and what people added (feedback of type `heddle.tag.1`). A condition holds
 * if it holds for any of them. `sent` is the column of the former.
 */
export function tagsOfCall(project_id: string, sent: Sql): Field {
  const tag = sql`JSONExtractString(${PAYLOAD}, 'tag')`
  const added = sql`SELECT ${callIdOfRef(project_id)} AS call_id, ${tag} AS item ${feedbackRecords(project_id, TAG_FEEDBACK)} AND item != ''`
  const newest = sql`if(notEmpty(${sent}), ${sent}[1], ${newestValue(project_id, TAG_FEEDBACK, tag)})`
  // A call has one text of all its tags: transform() returns no arrays.
  const lists = sql`SELECT call_id, toJSONString(groupArray(item)) AS items FROM (${added} ORDER BY created_at, feedback.id) GROUP BY call_id ORDER BY call_id`
  const ids = sql`(SELECT groupArray(call_id) FROM (${lists}))`
  const texts = sql`(SELECT groupArray(items) FROM (${lists}))`
  return {
    kind: 'many',
    each: { kind: 'column', type: 'text', sql: sql`item`, unset: 'never' },
    one: { kind: 'column', type: 'text', sql: newest, unset: 'empty' },
    all: sql`arrayDistinct(arrayConcat(${sent}, JSONExtract(transform(id, ${ids}, ${texts}, '[]'), 'Array(String)')))`,
    matches: (condition) =>
      sql`(arrayExists(item -> ifNull(${condition}, 0), ${sent}) OR id IN (SELECT call_id FROM (${added}) WHERE ${condition}))`,
  }
}

type OneField = ColumnField | JsonField

/** A single value per call is '' if there is none, like other fields: `$not $eq ''` tests whether there is one. */
function field(project_id: string, type: string, each: OneField, one: OneField): Field {
  if (!MULTI_VALUED_TYPES.has(type)) return one
  const matches = (condition: Sql): Sql =>
    sql`(id IN (SELECT ${callIdOfRef(project_id)} ${feedbackRecords(project_id, type)} AND ${condition}))`
  return { kind: 'many', each, one, matches }
}

/** Feedback of one type on calls of the project; of any type for `*`. */
export function feedbackRecords(project_id: string, type: string | readonly string[]): Sql {
  const source = sql`${from(project_id, 'feedback')} AND startsWith(weave_ref, ${callRefPrefix(project_id)})`
  if (typeof type !== 'string') return sql`${source} AND feedback_type IN ${type}`
  return type === '*' ? source : sql`${source} AND feedback_type = ${type}`
}

function newestRecords(project_id: string, type: string | readonly string[], condition?: Sql): Sql {
  const narrowed = condition === undefined ? sql`` : sql` AND ${condition}`
  return sql`${feedbackRecords(project_id, type)}${narrowed} ORDER BY weave_ref, created_at DESC, id DESC LIMIT 1 BY weave_ref`
}

export function callRefPrefix(project_id: string): string {
  return `${REF_PREFIX}${project_id}/call/`
}

/** The id of the call that a feedback record refers to. */
export function callIdOfRef(project_id: string): Sql {
  return sql`substring(weave_ref, ${Buffer.byteLength(callRefPrefix(project_id)) + 1})`
}

/**
 * The value of the newest record, looked up by call id; also used for sorting. Where any record of the call may match, it
 * is the newest one with the field: the records of a call have different fields.
 */
function newestValue(project_id: string, type: string | readonly string[], value: Sql, hasField?: Sql): Sql {
  const isAny = typeof type === 'string' && MULTI_VALUED_TYPES.has(type)
  const newest = newestRecords(project_id, type, isAny ? hasField : undefined)
  const ids = sql`(SELECT groupArray(call_id) FROM (SELECT ${callIdOfRef(project_id)} AS call_id ${newest}))`
  const values = sql`(SELECT groupArray(value) FROM (SELECT ${value} AS value ${newest}))`
  return sql`transform(id, ${ids}, ${values}, '')`
}
