import type { SpanMetric, SpanValue } from '../../contract/agents/span-stats.ts'
import { groupKey, numberKey } from '../calls/read/group-keys.ts'
import { MEASURED_LATENCY } from '../calls/read/stats.ts'
import type { AggregatedValue } from '../calls/read/usage-query.ts'
import { buildMeasures, type Measure } from '../metrics/project-stats.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'
import { SPAN_SOURCES } from './spans.ts'

/** Measures over spans, as columns of the metrics of calls (store/metrics/metrics.ts). */

export interface SpanMeasure extends Measure {
  readonly alias: string
  /** With the first measure of a value, which is read once. */
  readonly field?: AggregatedValue
}

interface Value {
  readonly sql: Sql
  readonly field?: AggregatedValue
}

export function spanMeasures(project_id: string, metrics: readonly SpanMetric[]): SpanMeasure[] {
  const measures: SpanMeasure[] = []
  for (const [i, { alias, value, aggregations, percentiles }] of metrics.entries()) {
    const { sql: measured, field } = spanValue(project_id, value.key, identifier(`v${i}`))
    const requested = aggregations ?? []
    const wanted = {
      aggregations: requested.filter((name) => name !== 'count_distinct'),
      percentiles: percentiles ?? [],
    }
    const built = buildMeasures(alias, measured, wanted, measures.length)
    if (requested.includes('count_distinct')) {
      built.push({
        name: `count_distinct_${alias}`,
        aggregate: 'count_distinct',
        column: identifier(`m${measures.length + built.length}`),
        sql: sql`uniqExact(${measured})`,
        defaultsToZero: true,
      })
    }
    measures.push(
      ...built.map((measure, n) => ({
        ...measure,
        alias,
        ...(n === 0 && field !== undefined && { field }),
      })),
    )
  }
  return measures
}

function spanValue(project_id: string, name: string, column: Sql): Value {
  switch (name as SpanValue) {
    case 'duration_ms':
      return { sql: MEASURED_LATENCY }
    case 'is_error':
      return { sql: sql`is_error` }
    case 'is_invocation': {
      const field = { ...groupKey(project_id, 'operation_name', 'UTC', SPAN_SOURCES), column }
      return { sql: sql`ifNull(${column} = 'invoke_agent', 0)`, field }
    }
    case 'total_tokens':
      return { sql: column, field: { ...numberKey(project_id, name, {}), column } }
    case 'input_tokens':
    case 'output_tokens':
      return { sql: column, field: { ...numberKey(project_id, name, SPAN_SOURCES), column } }
    default:
      return { sql: column, field: { ...groupKey(project_id, name, 'UTC', SPAN_SOURCES), column } }
  }
}
