import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { SPAN_TEXT_FIELDS } from '../../contract/agents/span-fields.ts'
import {
  SPAN_AGGREGATIONS,
  SPAN_VALUES,
  type SpanGroup,
  type SpanMetric,
  type SpanStatsColumn,
} from '../../contract/agents/span-stats.ts'
import { timeBuckets } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { type SpanMeasure, spanMeasures } from '../../store/agents/span-stats.ts'
import { IS_SPAN, SPAN_SOURCES } from '../../store/agents/spans.ts'
import {
  groupKeyText,
  listMetrics,
  listTopGroups,
  type MetricsSelection,
  resolveGroups,
} from '../../store/metrics/metrics.ts'
import { bucketView, listBuckets } from '../../store/metrics/project-stats.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { groupKeys } from '../metrics/group-metrics.ts'
import { viewTimeRange } from '../metrics/time-range.ts'

/** Handler for statistics of spans. */

const DEFAULT_GROUPS = 50

/** More would exhaust the client's memory. */
const MAX_ROWS = 100_000

export function agentStatsHandlers({ db, now }: Deps): Pick<Handlers, 'agent_spans_stats'> {
  return {
    agent_spans_stats: async (request) => {
      const { project_id } = request
      const metrics = request.metrics ?? []
      const group_by = request.group_by ?? []
      const buckets = timeBuckets(request, now())
      const columns = groupColumns(group_by)
      checkMetrics(metrics, columns)
      const measures = spanMeasures(project_id, metrics)
      const keys = group_by.map(({ key }) => key)
      const groups = resolveGroups(project_id, keys, buckets.timezone, SPAN_SOURCES)
      const query = parseQuery(request.query)
      const all = {
        project_id,
        filter: undefined,
        query,
        sources: SPAN_SOURCES,
        conditions: [IS_SPAN],
        buckets,
      }
      const selection: MetricsSelection = { ...all, groups }
      const limit = request.group_limit ?? DEFAULT_GROUPS
      const top = keys.length === 0 ? [{}] : await listTopGroups(db, selection, 'count', limit)
      const times = await listBuckets(db, buckets)
      if (top.length * times.length > MAX_ROWS) {
        const reason = `${top.length} groups × ${times.length} buckets exceed ${MAX_ROWS} rows; choose a coarser granularity`
        throw new ApiError('invalid_request', reason)
      }
      const listed = top.map((row) => groupKeys(row, selection))
      const among = keys.length === 0 ? undefined : { keys: listed.map(groupKeyText), is: true }
      const found = listed.length === 0 ? [] : await listMetrics(db, { ...selection, among }, measures)
      const byKey = new Map(
        found.map((row) => [`${row.bucket} ${groupKeyText(groupKeys(row, selection))}`, row]),
      )
      return {
        ...viewTimeRange(buckets),
        bucket_type: 'time' as const,
        columns: [TIME_COLUMN, ...columns, COUNT_COLUMN, ...measures.map(metricColumn)],
        rows: times.flatMap((time) =>
          listed.map((key) => ({
            ...(bucketView(time, byKey.get(`${time} ${groupKeyText(key)}`), measures) as Row),
            ...Object.fromEntries(columns.map(({ name }, i) => [name, key[i] ?? null])),
          })),
        ),
      }
    },
  }
}

type Row = Record<string, string | number | null>

const TIME_COLUMN: SpanStatsColumn = {
  name: 'timestamp',
  role: 'time',
  value_type: 'datetime',
  metric: null,
  aggregation: null,
}

const COUNT_COLUMN: SpanStatsColumn = {
  name: 'count',
  role: 'metric',
  value_type: 'number',
  metric: 'rows',
  aggregation: 'count',
}

function groupColumns(group_by: readonly SpanGroup[]): SpanStatsColumn[] {
  return group_by.map(({ key, alias }) => ({
    name: alias ?? key,
    role: 'group',
    value_type: 'string',
    metric: null,
    aggregation: null,
  }))
}

function metricColumn({ name, alias, aggregate }: SpanMeasure): SpanStatsColumn {
  return { name, role: 'metric', value_type: 'number', metric: alias, aggregation: aggregate }
}

const TEXTS: ReadonlySet<string> = new Set(SPAN_TEXT_FIELDS)
const VALUES: ReadonlyMap<string, { readonly source: string; readonly value_type: string }> = new Map(
  Object.entries(SPAN_VALUES),
)

/** What the schema cannot express: which values there are, their types, and names that are unique. */
function checkMetrics(metrics: readonly SpanMetric[], groups: readonly SpanStatsColumn[]): void {
  const names = [TIME_COLUMN.name, COUNT_COLUMN.name, ...groups.map(({ name }) => name)]
  if (new Set(names).size < names.length)
    throw unprocessable(['group_by'], 'names of columns must be unique, and not timestamp or count')
  if (new Set(metrics.map(({ alias }) => alias)).size < metrics.length)
    throw unprocessable(['metrics'], 'aliases must be unique')
  for (const [i, { value, value_type, aggregations, percentiles }] of metrics.entries()) {
    const known =
      VALUES.get(value.key) ?? (TEXTS.has(value.key) ? { source: 'field', value_type: 'string' } : undefined)
    const at = ['metrics', i] as const
    if (known === undefined || known.source !== (value.source ?? 'field')) {
      const fields = `${[...VALUES]
        .filter(([, { source }]) => source === 'field')
        .map(([name]) => name)
        .join(', ')}, ${SPAN_TEXT_FIELDS.join(', ')}`
      const derived = [...VALUES]
        .filter(([, { source }]) => source === 'derived')
        .map(([name]) => name)
        .join(', ')
      throw unprocessable([...at, 'value', 'key'], `must be a field (${fields}) or derived (${derived})`)
    }
    if (known.value_type !== value_type)
      throw unprocessable([...at, 'value_type'], `must be ${known.value_type} for ${value.key}`)
    const allowed = SPAN_AGGREGATIONS[value_type] ?? []
    if (aggregations?.some((name) => !allowed.includes(name)) === true)
      throw unprocessable([...at, 'aggregations'], `of a ${value_type} are ${allowed.join(', ')}`)
    if (value_type !== 'number' && (percentiles?.length ?? 0) > 0)
      throw unprocessable([...at, 'percentiles'], 'are of numbers only')
  }
}
