/**
 * Measures of the form `avg(scores.helpful)`: an aggregate over any field of calls. Without schemas, so that the web UI
 * can load it.
 */

export const FIELD_AGGREGATES = ['avg', 'sum', 'min', 'max', 'p50', 'p95', 'p99', 'count'] as const

export type FieldAggregate = (typeof FIELD_AGGREGATES)[number]

export type FieldMeasure = `${FieldAggregate}(${string})`

const FIELD_MEASURE = /^(avg|sum|min|max|p50|p95|p99|count)\((.+)\)$/s

/** The parts of such a measure; undefined for other measures. */
export function parseFieldMeasure(
  measure: string,
): { readonly aggregate: FieldAggregate; readonly field: string } | undefined {
  const [, aggregate, field] = FIELD_MEASURE.exec(measure) ?? []
  return field === undefined ? undefined : { aggregate: aggregate as FieldAggregate, field }
}

/** Whether the values of buckets add up to the value of the whole; 0 instead of null without calls. */
export function isAdditiveMeasure(measure: string): boolean {
  const aggregate = parseFieldMeasure(measure)?.aggregate
  if (aggregate !== undefined) return aggregate === 'sum' || aggregate === 'count'
  return !/latency_ms$|time_to_first_token$/.test(measure)
}
