import type { Project } from '../api/project.ts'
import type { ChartDefinition } from './definition.ts'
import type { RangeSelection } from './metric-chart-view.tsx'
import { type ChartSearch, metricTitle, MetricView } from './metric-view.tsx'
import { SqlView } from './sql-view.tsx'

interface Props {
  readonly project: Project
  readonly definition: ChartDefinition
  readonly search: ChartSearch
  readonly onSelect?: (selection: RangeSelection) => void
}

/** A chart of a dashboard. */
export function ChartView({ definition, ...props }: Props) {
  if (definition.source === 'metric') return <MetricView {...props} definition={definition} />
  return <SqlView project={props.project} definition={definition} />
}

/** The title of a chart for its buttons. */
export function chartTitle(definition: ChartDefinition): string {
  if (definition.source === 'metric') return metricTitle(definition)
  return definition.title === '' ? 'SQL query' : definition.title
}
