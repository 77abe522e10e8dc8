import {
  FIELD_AGGREGATES,
  type FieldAggregate,
  isAdditiveMeasure,
  parseFieldMeasure,
} from '../../client/browser/field-measures.ts'
import { fieldName, findField } from '../filter/fields.ts'
import { formatCompact, formatCost, formatDuration, formatNumber } from '../ui/format.ts'

/** The measures of charts: their labels, and how their values are shown. */

/** Measures with a name of their own. */
export const MEASURES = {
  count: 'Count',
  errors: 'Errors',
  running: 'Running',
  cost: 'Cost',
  total_tokens: 'Tokens',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cache_read_input_tokens: 'Cached input tokens',
  avg_latency_ms: 'Latency, average',
  p50_latency_ms: 'Latency p50',
  p95_latency_ms: 'Latency p95',
  p99_latency_ms: 'Latency p99',
  avg_time_to_first_token: 'Time to first token, average',
  p50_time_to_first_token: 'Time to first token p50',
  p95_time_to_first_token: 'Time to first token p95',
} as const

export type NamedMeasure = keyof typeof MEASURES

/** Aggregates over a field, as they continue in the name of the field. */
export const AGGREGATES: Readonly<Record<FieldAggregate, string>> = {
  avg: 'Average of',
  sum: 'Sum of',
  min: 'Minimum of',
  max: 'Maximum of',
  p50: 'p50 of',
  p95: 'p95 of',
  p99: 'p99 of',
  count: 'Calls with',
}

export type Measure = NamedMeasure | `${FieldAggregate}(${string})`

export function isNamedMeasure(text: string): text is NamedMeasure {
  return Object.hasOwn(MEASURES, text)
}

export function isAggregate(text: string): text is FieldAggregate {
  return (FIELD_AGGREGATES as readonly string[]).includes(text)
}

export function isMeasure(text: string): text is Measure {
  return isNamedMeasure(text) || parseFieldMeasure(text) !== undefined
}

export function measureLabel(measure: Measure): string {
  if (isNamedMeasure(measure)) return MEASURES[measure]
  const { aggregate = 'count', field = '' } = parseFieldMeasure(measure) ?? {}
  return `${AGGREGATES[aggregate]} ${fieldName(field)}`
}

/** Whether values of groups and buckets add up, so that they can be stacked and ranked. */
export function isStackable(measure: Measure): boolean {
  return isAdditiveMeasure(measure)
}

export function isCount(measure: Measure): boolean {
  return /^count\(|^(?:count|errors|running)$|_tokens$/.test(measure)
}

export function measureFormat(measure: Measure): (value: number) => string {
  if (isCount(measure)) return formatCompact
  const field = parseFieldMeasure(measure)?.field ?? measure
  if (field === 'cost') return formatCost
  const isDuration = findField(field)?.type === 'duration' || /latency_ms$|time_to_first_token$/.test(measure)
  return isDuration ? formatDuration : formatNumber
}

/** The calls that contribute to a measure, in the order that shows the largest first. */
export function measureSearch(measure: Measure): { readonly filter?: string; readonly sort?: string } {
  if (measure === 'errors') return { filter: 'status = error' }
  if (measure === 'running') return { filter: 'status = running' }
  if (measure === 'cost') return { sort: '-cost' }
  if (measure.endsWith('_latency_ms')) return { sort: '-summary.weave.latency_ms' }
  if (measure.endsWith('_time_to_first_token')) return { sort: '-time_to_first_token' }
  const field = parseFieldMeasure(measure)?.field
  return field === undefined ? {} : { filter: `${fieldName(field)} exists` }
}
