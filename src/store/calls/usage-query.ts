import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { Operand } from '../../core/query/ast.ts'
import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import { from } from '../query/scope.ts'
import { and, identifier, join, type Sql, sql } from '../query/sql.ts'
import { isWithin, type Stretch } from '../metrics/project-stats.ts'
import type { GroupKey } from './group-keys.ts'
import { callConditions } from './selection.ts'
import { REPORTED_BESIDE, reportedInUsage, tokensOfUsage, TOKEN_COLUMNS, USAGE } from './usage-tokens.ts'

/** Which calls are counted, and over which time. */
export interface StatsSelection {
  readonly project_id: string
  readonly filter: CallsFilter | null | undefined
  readonly query?: Operand | undefined
  readonly buckets: TimeBuckets
  /** If only these parts of that time are. */
  readonly stretches?: readonly Stretch[] | undefined
}

/**
 * `narrow` reads only what was pulled out at insert, and says in `unsure` whether there are calls for which that is not
 * enough: the answer is of no use then. `whole` reads the documents of those, and of no others.
 */
export type Reading = 'narrow' | 'whole'

/** Reads narrow columns, and documents only if it must: most statements never do. */
export async function readSurely<Row extends { readonly unsure: string }>(
  read: (reading: Reading) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await read('narrow')
  return rows.every((row) => row.unsure === '0') ? rows : read('whole')
}

/** Columns of `usage` in the order in which they are named in SQL. */
const COUNTS = [
  'prompt',
  'completion',
  'total',
  'cache_read',
  'cache_creation',
  'plain_prompt',
  'reported',
] as const

export type UsageColumn = (typeof COUNTS)[number]

const NULLABLE: ReadonlySet<UsageColumn> = new Set<UsageColumn>(['total', 'reported'])

/**
 * The usage of each call by model, as rows of `started_at`, the keys as k0, k1, …, `model`, and these columns. SDKs add
 * what is below a call to its own, so most ask for roots only; spans of OpenTelemetry do not, so each of them counts then.
 */
export function usages(
  selection: StatsSelection,
  columns: readonly UsageColumn[],
  keys: readonly GroupKey[],
  reading: Reading,
): Sql {
  const isRootsOnly = selection.filter?.trace_roots_only === true
  const conditions = conditionsOf({ ...selection, filter: { ...selection.filter, trace_roots_only: false } })
  if (isRootsOnly) conditions.push(sql`parent_id = '' OR otel_dump != ''`)
  const parts = { selection, conditions, keys, unsure: unsureOf(keys, true) }
  const wanted = COUNTS.filter((name) => columns.includes(name))
  const names = join([...keyNames(keys), identifier('model'), ...wanted.map(identifier)], ', ')
  const kept = wanted.map((name) => sql`usage.${identifier(name)} AS ${identifier(`${name}s`)}`)
  const unnest = wanted.map((name) => sql`, ${identifier(`${name}s`)} AS ${identifier(name)}`)
  const isUsed = sql`notEmpty(usage.model)`
  const quick = (condition: Sql): Sql =>
    sql`SELECT started_at, ${names}, 0 AS is_unsure FROM (SELECT ${listed([sql`started_at`, ...quickKeys(keys), sql`usage.model AS models`, ...kept])}
    ${calls(parts, [condition])}) ARRAY JOIN models AS model${join(unnest, '')}`
  if (reading === 'narrow') {
    const nothing = [
      ...keyNames(keys).map((name) => sql`NULL AS ${name}`),
      sql`'' AS model`,
      ...wanted.map((name) => sql`${NULLABLE.has(name) ? sql`NULL` : sql`0`} AS ${identifier(name)}`),
    ]
    return sql`${quick(isUsed)}
UNION ALL SELECT * FROM (SELECT started_at, ${listed(nothing)}, 1 AS is_unsure ${calls(parts, [parts.unsure])} LIMIT 1)`
  }
  const isReported = wanted.includes('reported')
  const beside = sql`if(length(arrayFilter(used -> JSONType(used.2) = 'Object', ${USAGE})) = 1, ${REPORTED_BESIDE}, NULL)`
  const reported = isReported ? [sql`coalesce(${reportedInUsage(sql`used.2`)}, beside) AS reported`] : []
  const carried = isReported ? [sql`reported`] : []
  return sql`${quick(sql`${isUsed} AND NOT ${parts.unsure}`)}
UNION ALL SELECT started_at, ${names}, 0 AS is_unsure
FROM (SELECT ${listed([sql`started_at`, ...keyNames(keys), sql`model`, ...carried, TOKEN_COLUMNS])}
  FROM (SELECT ${listed([sql`started_at`, ...keyNames(keys), sql`used.1 AS model`, ...reported, tokensOfUsage(sql`used.2`)])}
  FROM (SELECT ${listed([sql`started_at`, ...exactKeys(keys), ...(isReported ? [sql`${beside} AS beside`] : []), sql`arrayJoin(${USAGE}) AS used`])}
    ${callsToAsk(parts)}) WHERE JSONType(used.2) = 'Object'))`
}

/** Calls themselves, as rows of these columns and the keys; with `byModel` once for each model, NULL for none. */
export function countedCalls(
  selection: StatsSelection,
  columns: readonly Sql[],
  keys: readonly GroupKey[],
  byModel: boolean,
  reading: Reading,
): Sql {
  const unsure = unsureOf(keys, byModel)
  const parts = { selection, conditions: conditionsOf(selection), keys, unsure }
  const models = (list: Sql): Sql[] =>
    byModel ? [sql`${list} AS models`, sql`notEmpty(models) AS has_model`] : []
  const quick = (isUnsure: Sql, ...further: Sql[]): Sql =>
    sql`SELECT ${listed([...columns, ...quickKeys(keys), ...models(sql`usage.model`), sql`${isUnsure} AS is_unsure`])}
    ${calls(parts, further)}`
  const exactModels = sql`arrayMap(used -> used.1, arrayFilter(used -> JSONType(used.2) = 'Object', ${USAGE}))`
  const rows =
    reading === 'narrow'
      ? quick(unsure)
      : sql`${quick(sql`0`, sql`NOT ${unsure}`)}
UNION ALL SELECT ${listed([...columns, ...exactKeys(keys), ...models(exactModels), sql`0 AS is_unsure`])}
    ${callsToAsk(parts)}`
  if (!byModel) return rows
  // LEFT ARRAY JOIN means the same, in 1,410 ms against 174 for 1 M calls.
  return sql`SELECT * EXCEPT (models, has_model), if(has_model, used_model, NULL) AS model FROM (${rows}) ARRAY JOIN if(has_model, models, ['']) AS used_model`
}

interface Parts {
  readonly selection: StatsSelection
  readonly conditions: readonly Sql[]
  readonly keys: readonly GroupKey[]
  readonly unsure: Sql
}

function conditionsOf({ project_id, filter, query, buckets, stretches }: StatsSelection): Sql[] {
  const times = (stretches ?? [buckets]).map((stretch) => isWithin(sql`started_at`, stretch))
  return [times.length === 0 ? sql`0` : join(times, ' OR '), ...callConditions(project_id, filter, query)]
}

function calls({ selection, conditions }: Parts, further: readonly Sql[]): Sql {
  return sql`${from(selection.project_id, 'calls')} AND ${and([...conditions, ...further])}`
}

/** By key, so that the engine reads the documents of no others. */
function callsToAsk(parts: Parts): Sql {
  const keys = sql`SELECT started_at, id ${calls(parts, [parts.unsure])}`
  return calls(parts, [parts.unsure, sql`(started_at, id) IN (${keys})`])
}

function unsureOf(keys: readonly GroupKey[], withUsage: boolean): Sql {
  const tests = keys.flatMap(({ unsure }) => (unsure === undefined ? [] : [unsure]))
  if (withUsage) tests.unshift(sql`usage_kept = 0`)
  return tests.length === 0 ? sql`0` : sql`(${join(tests, ' OR ')})`
}

export function keyNames(keys: readonly GroupKey[]): Sql[] {
  return keys.map((_, i) => identifier(`k${i}`))
}

function quickKeys(keys: readonly GroupKey[]): Sql[] {
  return keys.map(({ quick }, i) => sql`${quick} AS ${identifier(`k${i}`)}`)
}

function exactKeys(keys: readonly GroupKey[]): Sql[] {
  return keys.map(({ exact }, i) => sql`${exact} AS ${identifier(`k${i}`)}`)
}

function listed(columns: readonly Sql[]): Sql {
  return join(columns, ', ')
}
