import type { JsonText } from '../../client/browser/json-text.ts'
import type { NamedObject } from '../named-objects/use-named-objects.ts'
import { isMeasure, isStackable, type Measure } from './measures.ts'

/** Dashboards that people define: charts in order, stored as an object of the class `Dashboard`. */
export interface Dashboard extends NamedObject {
  readonly charts: readonly ChartDefinition[]
}

interface ChartBase {
  /** Unique in its dashboard. */
  readonly id: string
  /** Empty for the default title. */
  readonly title: string
  readonly width: 'half' | 'whole'
}

export const CHART_KINDS = ['line', 'bar', 'number', 'table'] as const
type ChartKind = (typeof CHART_KINDS)[number]

/** A chart of a measure of calls. */
export interface MetricDefinition extends ChartBase {
  readonly source: 'metric'
  readonly measure: Measure
  /** Only trace roots, or all calls. */
  readonly scope: 'traces' | 'calls'
  /** Filter expression, see src/web/filter. */
  readonly filter?: string
  /** The field that calls are grouped by. */
  readonly group?: string
  readonly kind: ChartKind
}

/** The chart or table of a saved SQL query. */
export interface SqlDefinition extends ChartBase {
  readonly source: 'sql'
  /** Object id of the saved query. */
  readonly query: string
}

export type ChartDefinition = MetricDefinition | SqlDefinition

export const MAX_CHARTS = 50

export function newChartId(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number.toString(36)
}

export const newMetricChart = (): MetricDefinition => ({
  id: newChartId(),
  source: 'metric',
  title: '',
  measure: 'count',
  scope: 'traces',
  kind: 'line',
  width: 'half',
})

/** Bars are stacked, which averages and percentiles of groups are not made for. */
export function canBeBars({ measure, group }: Pick<MetricDefinition, 'measure' | 'group'>): boolean {
  return group === undefined || isStackable(measure)
}

export function parseDashboard(object: NamedObject): Dashboard {
  return { ...object, charts: parseCharts(object.members.get('charts')) }
}

/** Reads what any tool may have written: unknown values become defaults, and what is not a chart is left out. */
function parseCharts(json: JsonText | undefined): readonly ChartDefinition[] {
  const value: unknown = json === undefined ? [] : JSON.parse(json.text)
  const ids = new Set<string>()
  return (Array.isArray(value) ? value : []).slice(0, MAX_CHARTS).flatMap((item: unknown, i) => {
    const chart = parseChart(item, `chart-${i}`)
    if (chart === undefined || ids.has(chart.id)) return []
    ids.add(chart.id)
    return [chart]
  })
}

function parseChart(value: unknown, defaultId: string): ChartDefinition | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  const text = (name: string): string | undefined => {
    const member = members[name]
    return typeof member === 'string' && member !== '' ? member : undefined
  }
  const base = {
    id: text('id') ?? defaultId,
    title: text('title') ?? '',
    width: text('width') === 'whole' ? ('whole' as const) : ('half' as const),
  }
  const query = text('query')
  if (text('source') === 'sql') return query === undefined ? undefined : { ...base, source: 'sql', query }
  const measure = text('measure') ?? ''
  if (!isMeasure(measure)) return undefined
  const filter = text('filter')
  const group = text('group')
  return {
    ...base,
    source: 'metric',
    measure,
    scope: text('scope') === 'calls' ? 'calls' : 'traces',
    kind: CHART_KINDS.find((kind) => kind === text('kind')) ?? 'line',
    ...(filter === undefined ? {} : { filter }),
    ...(group === undefined ? {} : { group }),
  }
}

/** Changes of the charts of a dashboard. They name charts by id, so that they apply to any newer version as well. */
export type ChartsChange =
  | { readonly kind: 'put'; readonly chart: ChartDefinition }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'move'; readonly id: string; readonly by: -1 | 1 }

export function changeCharts(
  charts: readonly ChartDefinition[],
  change: ChartsChange,
): readonly ChartDefinition[] {
  if (change.kind === 'remove') return charts.filter(({ id }) => id !== change.id)
  if (change.kind === 'put') {
    const isNew = charts.every(({ id }) => id !== change.chart.id)
    return isNew
      ? [...charts, change.chart]
      : charts.map((chart) => (chart.id === change.chart.id ? change.chart : chart))
  }
  const from = charts.findIndex(({ id }) => id === change.id)
  const to = from + change.by
  if (from < 0 || to < 0 || to >= charts.length) return charts
  const moved = [...charts]
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}
