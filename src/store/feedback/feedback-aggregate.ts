import type { FeedbackAggregate } from '../../contract/feedback/feedback-stats.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { timeBucket } from '../metrics/project-stats.ts'
import { and, bound, identifier, join, type Sql, sql } from '../query/sql.ts'

/** Counts and sums of the tags and ratings given by scorers. */
export interface AggregateRow {
  readonly bucket?: string
  readonly by_scorer_id?: string
  readonly by_span_agent_name?: string
  readonly by_span_agent_version?: string
  readonly by_span_status_code?: string
  readonly total: string
  readonly scored: string
  /** Names, and the number for each name. */
  readonly tags: readonly [readonly string[], readonly string[]]
  readonly rating_counts: readonly [readonly string[], readonly string[]]
  readonly rating_sums: readonly [readonly string[], readonly number[]]
}

export async function aggregateFeedback(db: Database, request: FeedbackAggregate): Promise<AggregateRow[]> {
  return db.rows<AggregateRow>(selectAggregate(request), { name: 'feedback aggregate', kind: 'scan' })
}

/** The key of the rating in agent scores, which have no named ratings. */
const RATING = '_rating_'

const RATINGS = sql`JSONExtractKeysAndValues(scorer_ratings, 'Float64')`

type Dimension = NonNullable<FeedbackAggregate['group_by']>[number]

const DIMENSIONS: Readonly<Record<Dimension, Sql>> = {
  scorer_id: nameIn(sql`runnable_ref`),
  span_agent_name: sql`span_agent_name`,
  span_agent_version: sql`span_agent_version`,
  span_status_code: sql`toString(span_status_code)`,
}

/** The name in an object ref: `score` in `weave:///…/op/score:abc`. */
function nameIn(ref: Sql): Sql {
  return sql`splitByChar(':', splitByChar('/', ifNull(${ref}, ''))[-1])[1]`
}

export function selectAggregate(request: FeedbackAggregate): Sql {
  const { time_bucket_seconds: seconds } = request
  const keys: [Sql, Sql][] = []
  if (typeof seconds === 'number') {
    keys.push([sql`bucket`, timeBucket(sql`created_at`, { seconds, timezone: 'UTC' })])
  }
  for (const name of new Set(request.group_by)) keys.push([identifier(`by_${name}`), DIMENSIONS[name]])
  const names = join(
    keys.map(([name]) => name),
    ', ',
  )
  const columns = keys.map(([name, value]) => sql`${value} AS ${name}, `)
  const grouped = keys.length === 0 ? sql`` : sql`GROUP BY ${names} ORDER BY ${names}`
  return sql`SELECT ${join(columns, '')}count() AS total, countIf(notEmpty(scorer_tags) OR notEmpty(${RATINGS})) AS scored,
  sumMap(scorer_tags, arrayMap(tag -> toUInt64(1), scorer_tags)) AS tags,
  sumMap(arrayMap(rating -> rating.1, ${RATINGS}), arrayMap(rating -> toUInt64(1), ${RATINGS})) AS rating_counts,
  sumMap(arrayMap(rating -> rating.1, ${RATINGS}), arrayMap(rating -> rating.2, ${RATINGS})) AS rating_sums
${from(request.project_id, 'feedback')} AND ${and(conditions(request))} ${grouped}`
}

function conditions(request: FeedbackAggregate): Sql[] {
  const found = [
    sql`created_at >= ${millis(request.after_ms)}`,
    sql`created_at < ${millis(request.before_ms)}`,
  ]
  const { feedback_types, monitor_ids, scorer_ids, span_agent_names, span_types, tags } = request
  if (feedback_types?.length) {
    const prefixes = feedback_types.map((type) => type.replace(/\*+$/, ''))
    found.push(sql`arrayExists(prefix -> startsWith(feedback_type, prefix), ${prefixes})`)
  }
  if (monitor_ids?.length) found.push(matchesName(nameIn(sql`trigger_ref`), monitor_ids))
  if (scorer_ids?.length) found.push(matchesName(nameIn(sql`runnable_ref`), scorer_ids))
  if (span_agent_names?.length) found.push(sql`span_agent_name IN ${span_agent_names}`)
  if (span_types?.length) found.push(sql`splitByChar('/', weave_ref)[-2] IN ${span_types}`)
  if (tags?.length) found.push(sql`hasAny(scorer_tags, ${tags})`)
  const rating = sql`toFloat64OrNull(JSONExtractRaw(scorer_ratings, ${RATING}))`
  if (typeof request.rating_min === 'number')
    found.push(sql`${rating} >= ${bound('Float64', request.rating_min)}`)
  if (typeof request.rating_max === 'number')
    found.push(sql`${rating} <= ${bound('Float64', request.rating_max)}`)
  return found
}

/** Whether the name equals one of these, or starts with one that ends in `*`. */
function matchesName(name: Sql, wanted: readonly string[]): Sql {
  const exact = wanted.filter((text) => !text.endsWith('*'))
  const prefixes = wanted.filter((text) => text.endsWith('*')).map((text) => text.replace(/\*+$/, ''))
  return sql`${name} IN ${exact} OR arrayExists(prefix -> startsWith(${name}, prefix), ${prefixes})`
}

/** Clamps times to the maximum of ClickHouse. */
function millis(value: number): Sql {
  return sql`fromUnixTimestamp64Milli(${bound('Int64', Math.min(value, 10_413_791_999_999))}, 'UTC')`
}
