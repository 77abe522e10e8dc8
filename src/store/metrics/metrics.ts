import type { Metric, Sum } from '../../contract/metrics/metrics.ts'
import { groupKey, type GroupKey } from '../calls/group-keys.ts'
import { MEASURED_LATENCY } from '../calls/stats.ts'
import { countedCalls, type Reading, readSurely, type StatsSelection, usages } from '../calls/usage-query.ts'
import type { Database } from '../database/database.ts'
import { bucketOf, type Measure, measureColumns, measuresOf, type Wanted } from './project-stats.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

/** Calls in numbers, by group. The tokens and costs of the same groups come from calls/stats.ts. */

export interface Groups {
  /** Of all names that are not `model`, in their order. */
  readonly keys: readonly GroupKey[]
  readonly byModel: boolean
  /** The SQL name of each key, as asked: k0, k1, … or `model`. */
  readonly columns: readonly Sql[]
  /** What they are called in a row. */
  readonly names: readonly (`k${number}` | 'model')[]
}

export function groupsOf(project_id: string, group_by: readonly string[], timezone: string): Groups {
  const others = group_by.filter((name) => name !== 'model')
  const keys = others.map((name) => groupKey(project_id, name, timezone))
  const names = group_by.map((name) => (name === 'model' ? 'model' : (`k${others.indexOf(name)}` as const)))
  return { keys, byModel: others.length < group_by.length, names, columns: names.map(identifier) }
}

type CallMeasure = Exclude<Metric, `${string}tokens` | 'cost' | 'count'>

const VALUES: Readonly<Record<CallMeasure, readonly [Sql, Wanted]>> = {
  errors: [sql`is_error`, { aggregations: ['sum'], percentiles: [] }],
  running: [sql`isNull(ended_at)`, { aggregations: ['sum'], percentiles: [] }],
  avg_latency_ms: [MEASURED_LATENCY, { aggregations: ['avg'], percentiles: [] }],
  p50_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [50] }],
  p95_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [95] }],
  p99_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [99] }],
}

/** What the rows of calls say beside their count; tokens and costs are not among it. */
export function numberMeasures(asked: readonly Metric[]): Measure[] {
  const measures: Measure[] = []
  for (const name of new Set(asked)) {
    if (!isCallMeasure(name)) continue
    const [value, wanted] = VALUES[name]
    measures.push(
      ...measuresOf(name, value, wanted, measures.length).map((measure) => ({ ...measure, name })),
    )
  }
  return measures
}

function isCallMeasure(name: Metric): name is CallMeasure {
  return name in VALUES
}

export interface NumbersSelection extends StatsSelection {
  readonly groups: Groups
  /** Only these groups (`keyText`), or all but these; without keys the groups are not told apart. */
  readonly among?: { readonly keys: readonly string[]; readonly is: boolean } | undefined
}

export interface NumbersRow {
  readonly bucket: string
  readonly count: string
  readonly unsure: string
  readonly model?: string | null
  readonly [key: `k${number}`]: string | null
  readonly [measure: `m${number}`]: number | null
}

export async function listNumbers(
  db: Database,
  selection: NumbersSelection,
  measures: readonly Measure[],
  limit?: number,
): Promise<NumbersRow[]> {
  return readSurely((reading) =>
    db.rows<NumbersRow>(selectNumbers(selection, measures, reading, limit), {
      name: 'numbers of calls',
      kind: 'scan',
    }),
  )
}

export function selectNumbers(
  selection: NumbersSelection,
  measures: readonly Measure[],
  reading: Reading,
  limit?: number,
): Sql {
  const bucket = bucketOf(sql`started_at`, selection.buckets)
  const told = toldApart(selection)
  const names = join([sql`bucket`, ...told], ', ')
  return sql`SELECT ${join([sql`${bucket} AS bucket`, ...told], ', ')}, count() AS count${measureColumns(measures)},
  countIf(is_unsure) AS unsure
${numbered(selection, reading)}
GROUP BY ${names} ORDER BY ${names}${limit === undefined ? sql`` : sql` LIMIT ${limit}`}`
}

interface RankedRow {
  readonly unsure: string
  readonly model?: string | null
  readonly [key: `k${number}`]: string | null
}

/** The groups that have the most of something other than costs, the most first. */
export async function listTopGroups(
  db: Database,
  selection: NumbersSelection,
  by: Exclude<Sum, 'cost'>,
  top: number,
): Promise<RankedRow[]> {
  const statement = (reading: Reading): Sql => selectTopGroups(selection, by, top, reading)
  return readSurely((reading) =>
    db.rows<RankedRow>(statement(reading), { name: 'top groups of calls', kind: 'scan' }),
  )
}

const RANKS: Readonly<Record<Exclude<Sum, 'cost'>, Sql>> = {
  count: sql`count()`,
  errors: sql`sum(is_error)`,
  running: sql`countIf(isNull(ended_at))`,
  input_tokens: sql`sum(prompt)`,
  output_tokens: sql`sum(completion)`,
  total_tokens: sql`sum(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))`,
  cache_read_input_tokens: sql`sum(cache_read)`,
  cache_creation_input_tokens: sql`sum(cache_creation)`,
}

export function selectTopGroups(
  selection: NumbersSelection,
  by: Exclude<Sum, 'cost'>,
  top: number,
  reading: Reading,
): Sql {
  const { groups } = selection
  const isUsage = by.endsWith('_tokens')
  const source = isUsage
    ? sql`FROM (${usages(selection, ['prompt', 'completion', 'total', 'cache_read', 'cache_creation'], groups.keys, reading)})`
    : numbered(selection, reading)
  const names = join([...groups.columns], ', ')
  return sql`SELECT ${names}, ${RANKS[by]} AS rank, sum(countIf(is_unsure)) OVER () AS unsure
${source}
GROUP BY ${names} ORDER BY rank DESC, ${keySql(groups)} LIMIT ${top}`
}

function numbered({ groups, among, ...selection }: NumbersSelection, reading: Reading): Sql {
  const columns = [sql`started_at`, sql`ended_at`, sql`isNotNull(exception) AS is_error`]
  const rows = countedCalls(selection, columns, groups.keys, groups.byModel, reading)
  const having = isAmong(groups, among)
  return sql`FROM (${rows})${having === undefined ? sql`` : sql` WHERE ${having}`}`
}

function toldApart({ groups, among }: NumbersSelection): Sql[] {
  return among?.is === false ? [] : [...groups.columns]
}

/** The condition for rows whose keys are k0, k1, … and `model`; calls that must be asked stay in, to be noticed. */
export function isAmong(groups: Groups, among: NumbersSelection['among']): Sql | undefined {
  if (among === undefined) return undefined
  return sql`(${keySql(groups)} ${among.is ? sql`IN` : sql`NOT IN`} ${among.keys} OR is_unsure)`
}

/** A group as one text: each key with its length before it, so that no two groups have the same. */
function keySql(groups: Groups): Sql {
  const parts = groups.columns.map(
    (column) => sql`ifNull(concat(toString(length(${column})), ':', ${column}), '-')`,
  )
  return parts.length === 1 ? parts[0]! : sql`concat(${join(parts, ', ')})`
}

export function keyText(keys: readonly (string | null)[]): string {
  return keys.map((key) => (key === null ? '-' : `${Buffer.byteLength(key)}:${key}`)).join('')
}
