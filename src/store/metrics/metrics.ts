import { TOTAL_TOKENS } from '../calls/read/usage-tokens.ts'
import { type FieldMeasure, parseFieldMeasure } from '../../contract/metrics/field-measures.ts'
import type { Metric, AdditiveMetric } from '../../contract/metrics/metrics.ts'
import { groupKey, type GroupKey, numberKey, presenceKey } from '../calls/read/group-keys.ts'
import type { FieldSources } from '../calls/read/field-resolver.ts'
import { HAS_EXCEPTION } from '../calls/columns/named-fields.ts'
import { MEASURED_LATENCY } from '../calls/read/stats.ts'
import {
  type AggregatedValue,
  callRows,
  type ReadMode,
  readWithFallback,
  type StatsSelection,
  usageRows,
} from '../calls/read/usage-query.ts'
import type { Database } from '../database/database.ts'
import {
  timeBucket,
  type Measure,
  measureColumns,
  buildMeasures,
  type RequestedAggregates,
} from './project-stats.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

/** Metrics of calls by group. Tokens and costs of the same groups come from calls/read/stats.ts. */

export interface Groups {
  /** The keys of all names except `model`, in the requested order. */
  readonly keys: readonly GroupKey[]
  readonly byModel: boolean
  /** The SQL name of each key, in the requested order: k0, k1, … or `model`. */
  readonly columns: readonly Sql[]
  /** The same names as members of a row. */
  readonly names: readonly (`k${number}` | 'model')[]
}

export function resolveGroups(
  project_id: string,
  group_by: readonly string[],
  timezone: string,
  sources: FieldSources = {},
): Groups {
  const others = group_by.filter((name) => name !== 'model')
  const keys = others.map((name) => groupKey(project_id, name, timezone, sources))
  const names = group_by.map((name) => (name === 'model' ? 'model' : (`k${others.indexOf(name)}` as const)))
  return { keys, byModel: others.length < group_by.length, names, columns: names.map(identifier) }
}

type CallMeasure = Exclude<Metric, `${string}tokens` | 'cost' | 'count' | FieldMeasure>

const FIRST_TOKEN = sql`field_time_to_first_token`

const VALUES: Readonly<Record<CallMeasure, readonly [Sql, RequestedAggregates]>> = {
  errors: [sql`is_error`, { aggregations: ['sum'], percentiles: [] }],
  running: [sql`isNull(ended_at)`, { aggregations: ['sum'], percentiles: [] }],
  avg_latency_ms: [MEASURED_LATENCY, { aggregations: ['avg'], percentiles: [] }],
  p50_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [50] }],
  p95_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [95] }],
  p99_latency_ms: [MEASURED_LATENCY, { aggregations: [], percentiles: [99] }],
  avg_time_to_first_token: [FIRST_TOKEN, { aggregations: ['avg'], percentiles: [] }],
  p50_time_to_first_token: [FIRST_TOKEN, { aggregations: [], percentiles: [50] }],
  p95_time_to_first_token: [FIRST_TOKEN, { aggregations: [], percentiles: [95] }],
}

/** A measure over rows of calls. */
interface CallsMeasure extends Measure {
  /** The field that it aggregates, unless it is a column that every row has. */
  readonly field?: AggregatedValue
}

/** Measures over rows of calls, besides their count and without tokens and costs. */
export function metricMeasures(
  requested: readonly Metric[],
  selection: Pick<StatsSelection, 'project_id' | 'sources'>,
): CallsMeasure[] {
  const measures: CallsMeasure[] = []
  for (const name of new Set(requested)) {
    const field = fieldValue(name, measures.length, selection)
    const source = field ?? (isCallMeasure(name) ? { value: VALUES[name] } : undefined)
    if (source === undefined) continue
    const [value, wanted] = source.value
    const [measure] = buildMeasures(name, value, wanted, measures.length)
    measures.push({ ...measure!, name, ...(field && { field: field.field }) })
  }
  return measures
}

/** The field of `avg(field)` and the like as a column of its own. */
function fieldValue(
  name: Metric,
  index: number,
  { project_id, sources = {} }: Pick<StatsSelection, 'project_id' | 'sources'>,
): { readonly field: AggregatedValue; readonly value: readonly [Sql, RequestedAggregates] } | undefined {
  const parsed = parseFieldMeasure(name)
  if (parsed === undefined) return undefined
  const { aggregate, field } = parsed
  const column = identifier(`v${index}`)
  const key = aggregate === 'count' ? presenceKey : numberKey
  const wanted: RequestedAggregates =
    aggregate === 'p50' || aggregate === 'p95' || aggregate === 'p99'
      ? { aggregations: [], percentiles: [Number(aggregate.slice(1))] }
      : { aggregations: [aggregate], percentiles: [] }
  return { field: { ...key(project_id, field, sources), column }, value: [column, wanted] }
}

function isCallMeasure(name: Metric): name is CallMeasure {
  return name in VALUES
}

export interface MetricsSelection extends StatsSelection {
  readonly groups: Groups
  /** Only these groups (`groupKeyText`), or all but these; the others are then merged into one. */
  readonly among?: { readonly keys: readonly string[]; readonly is: boolean } | undefined
}

export interface MetricsRow {
  readonly bucket: string
  readonly count: string
  readonly needs_documents: string
  readonly model?: string | null
  readonly [key: `k${number}`]: string | null
  readonly [measure: `m${number}`]: number | null
}

export async function listMetrics(
  db: Database,
  selection: MetricsSelection,
  measures: readonly CallsMeasure[],
  limit?: number,
): Promise<MetricsRow[]> {
  return readWithFallback((mode) =>
    db.rows<MetricsRow>(selectMetrics(selection, measures, mode, limit), {
      name: 'call metrics',
      kind: 'scan',
    }),
  )
}

export function selectMetrics(
  selection: MetricsSelection,
  measures: readonly CallsMeasure[],
  mode: ReadMode,
  limit?: number,
): Sql {
  const bucket = timeBucket(sql`started_at`, selection.buckets)
  const columns = groupColumns(selection)
  const names = join([sql`bucket`, ...columns], ', ')
  return sql`SELECT ${join([sql`${bucket} AS bucket`, ...columns], ', ')}, count() AS count${measureColumns(measures)},
  countIf(needs_document) AS needs_documents
${callsSource(selection, mode, measures)}
GROUP BY ${names} ORDER BY ${names}${limit === undefined ? sql`` : sql` LIMIT ${limit}`}`
}

interface RankedRow {
  readonly needs_documents: string
  readonly model?: string | null
  readonly [key: `k${number}`]: string | null
}

/** The groups with the highest value of an additive metric other than cost, highest first. */
export async function listTopGroups(
  db: Database,
  selection: MetricsSelection,
  by: Exclude<AdditiveMetric, 'cost'>,
  top: number,
): Promise<RankedRow[]> {
  const statement = (mode: ReadMode): Sql => selectTopGroups(selection, by, top, mode)
  return readWithFallback((mode) =>
    db.rows<RankedRow>(statement(mode), { name: 'top groups of calls', kind: 'scan' }),
  )
}

const RANK_EXPRESSIONS: Readonly<Record<Exclude<AdditiveMetric, 'cost'>, Sql>> = {
  count: sql`count()`,
  errors: sql`sum(is_error)`,
  running: sql`countIf(isNull(ended_at))`,
  input_tokens: sql`sum(prompt)`,
  output_tokens: sql`sum(completion)`,
  total_tokens: sql`sum(${TOTAL_TOKENS})`,
  cache_read_input_tokens: sql`sum(cache_read)`,
  cache_creation_input_tokens: sql`sum(cache_creation)`,
}

export function selectTopGroups(
  selection: MetricsSelection,
  by: Exclude<AdditiveMetric, 'cost'>,
  top: number,
  mode: ReadMode,
): Sql {
  const { groups } = selection
  const isUsage = by.endsWith('_tokens')
  const source = isUsage
    ? sql`FROM (${usageRows(selection, ['prompt', 'completion', 'total', 'cache_read', 'cache_creation'], groups.keys, mode)})`
    : callsSource(selection, mode)
  const names = join([...groups.columns], ', ')
  return sql`SELECT ${names}, ${RANK_EXPRESSIONS[by]} AS rank, sum(countIf(needs_document)) OVER () AS needs_documents
${source}
GROUP BY ${names} ORDER BY rank DESC, ${groupKeySql(groups)} LIMIT ${top}`
}

function callsSource(
  { groups, among, ...selection }: MetricsSelection,
  mode: ReadMode,
  measures: readonly CallsMeasure[] = [],
): Sql {
  const columns = [sql`started_at`, sql`ended_at`, sql`${HAS_EXCEPTION} AS is_error`]
  if (measures.some(({ name }) => name.endsWith('_time_to_first_token'))) columns.push(FIRST_TOKEN)
  const traceColumns = [sql`is_error`, ...columns.slice(3)]
  const values = measures.flatMap(({ field }) => field ?? [])
  const rows = callRows(selection, columns, groups.keys, groups.byModel, mode, values, traceColumns)
  const having = isInGroups(groups, among)
  return sql`FROM (${rows})${having === undefined ? sql`` : sql` WHERE ${having}`}`
}

function groupColumns({ groups, among }: MetricsSelection): Sql[] {
  return among?.is === false ? [] : [...groups.columns]
}

/** The condition on the keys k0, k1, … and `model`. Calls that need their documents stay in, so that they are noticed. */
export function isInGroups(groups: Groups, among: MetricsSelection['among']): Sql | undefined {
  if (among === undefined) return undefined
  return sql`(${groupKeySql(groups)} ${among.is ? sql`IN` : sql`NOT IN`} ${among.keys} OR needs_document)`
}

/** The group as one text: each key is prefixed with its length, so that the text is unique. */
function groupKeySql(groups: Groups): Sql {
  const parts = groups.columns.map(
    (column) => sql`ifNull(concat(toString(length(${column})), ':', ${column}), '-')`,
  )
  return parts.length === 1 ? parts[0]! : sql`concat(${join(parts, ', ')})`
}

export function groupKeyText(keys: readonly (string | null)[]): string {
  return keys.map((key) => (key === null ? '-' : `${Buffer.byteLength(key)}:${key}`)).join('')
}
