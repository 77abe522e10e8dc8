import { formatCompact, formatCount, formatDuration, formatKnownCost, formatNumber } from '../ui/format.ts'
import { type GridColumn, numberColumn } from '../ui/data-grid/column.ts'
import type { Activity } from './read-groups.ts'

/** Totals of each row. Their ids are the measures that rows are ranked by. */
export function activityColumns(): readonly GridColumn<Activity>[] {
  return [
    { ...numberColumn('count', 'Traces', '92px', ({ traces }) => formatCount(traces)), isSortable: true },
    {
      ...numberColumn('errors', 'Errors', '92px', ({ errors }) => (errors === 0 ? '' : formatCount(errors))),
      isSortable: true,
    },
    {
      ...numberColumn('total_tokens', 'Tokens', '104px', ({ tokens }) => formatCompact(tokens)),
      isSortable: true,
    },
    {
      ...numberColumn('cost', 'Cost', '110px', ({ cost, isCostPartial }) =>
        formatKnownCost(cost, isCostPartial),
      ),
      isSortable: true,
    },
    numberColumn('p95', 'Latency p95', '110px', ({ p95LatencyMs }) =>
      p95LatencyMs === null ? '–' : formatDuration(p95LatencyMs),
    ),
    scoresColumn((activity) => activity),
  ]
}

/** The mean of each score. */
export function scoresColumn<Row>(activityOf: (row: Row) => Activity | undefined): GridColumn<Row> {
  return {
    id: 'scores',
    label: 'Scores',
    width: 'minmax(120px, 0.6fr)',
    cell: (row) => {
      const scores = activityOf(row)?.scores ?? []
      const text = scores.map(([name, mean]) => `${name} ${formatNumber(mean)}`).join(', ')
      return <span title={text}>{text}</span>
    },
  }
}
