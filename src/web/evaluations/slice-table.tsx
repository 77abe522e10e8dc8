import { useMemo } from 'react'
import { columnLetter } from '../compare/compared-ids.ts'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { formatCount, formatScoreDifference } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import type { MatrixRow, Scoring } from './matrix.ts'
import { exactMetricValue, formatMetricValue } from './metric-format.ts'
import { formatMetricDifference } from './score-cards.tsx'
import styles from './slice-table.module.css'
import {
  FAILED,
  NO_VALUE,
  type Slice,
  type SliceMetric,
  sliceMetrics,
  sliceRows,
  sortSlices,
} from './slices.ts'

interface Props {
  /** Every example of the runs. */
  readonly rows: readonly MatrixRow[]
  readonly path: string
  readonly scoring: Scoring
  readonly runCount: number
  /** Key of the slice that the matrix shows. */
  readonly selected: string | undefined
  readonly onSelect: (key: string | undefined) => void
  /** Id of a metric, or `examples`, after `-` if descending. */
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

const LINE_PX = 20
const HEAD_PX = 32

/** The metrics of each slice of the examples. A click shows only the examples of the slice. */
export function SliceTable(props: Props) {
  const { rows, path, scoring, runCount, selected, onSelect } = props
  const slices = useMemo(() => sliceRows(rows, path, scoring, runCount), [rows, path, scoring, runCount])
  const metrics = useMemo(() => sliceMetrics(rows, scoring, runCount), [rows, scoring, runCount])
  const sort = useMemo(
    () => ({ id: props.sort?.replace(/^-/, '') ?? 'examples', desc: props.sort?.startsWith('-') ?? true }),
    [props.sort],
  )
  const sorted = useMemo(() => sortSlices(slices, sort), [slices, sort])
  const { lowerIsBetter } = scoring
  const columns = useMemo(
    (): readonly GridColumn<Slice>[] => [
      {
        id: 'value',
        label: path,
        width: 'minmax(160px, 1.2fr)',
        isRowHeader: true,
        cell: ({ key }) => (
          <button
            type="button"
            className={`${gridStyles.action} isolate`}
            aria-pressed={key === selected}
            onClick={() => onSelect(key === selected ? undefined : key)}
          >
            {key === NO_VALUE ? <span className="hint">no value</span> : sliceName(key)}
          </button>
        ),
      },
      {
        id: 'examples',
        label: 'Examples',
        width: '120px',
        isNumber: true,
        isSortable: true,
        cell: ({ exampleCount }) => (
          <span
            title={
              exampleCount < MIN_EXAMPLES ? 'Too few examples to tell a difference from chance' : undefined
            }
          >
            {formatCount(exampleCount)}
            {runCount > 1 && exampleCount < MIN_EXAMPLES && <span className="hint"> too few</span>}
          </span>
        ),
      },
      ...metrics.map(({ id, label, kind, score }): GridColumn<Slice> => ({
        id,
        label: visibleText(label),
        title: label,
        width: 'minmax(120px, 1fr)',
        isNumber: true,
        isSortable: true,
        cell: (slice) => (
          <Values
            metric={slice.metrics.get(id)}
            kind={kind}
            runCount={runCount}
            isLower={score === undefined || lowerIsBetter.has(score)}
          />
        ),
      })),
    ],
    [path, metrics, runCount, lowerIsBetter, selected, onSelect],
  )
  const rowHeightPx = LINE_PX * runCount + 12
  return (
    <div
      className={styles.slices}
      style={{ height: `min(${HEAD_PX + sorted.length * rowHeightPx}px, 34vh)` }}
    >
      <DataGrid
        label="Slices"
        regionLabel={`Slices by ${path}`}
        rows={sorted}
        rowId={({ key }) => key}
        columns={columns}
        rowHeightPx={rowHeightPx}
        rowState={({ key }) => (key === selected ? 'open' : undefined)}
        onOpen={({ key }) => onSelect(key === selected ? undefined : key)}
        sort={sort}
        onSort={({ id, desc }) => props.onSort(desc ? `-${id}` : id)}
      />
    </div>
  )
}

/** As in the comparison of runs: fewer examples show no difference. */
const MIN_EXAMPLES = 20

/** The value of a slice without quotes. */
export function sliceName(key: string): string {
  try {
    const value: unknown = JSON.parse(key)
    return visibleText(typeof value === 'string' ? value : key)
  } catch {
    // The URL can have any text.
    return visibleText(key)
  }
}

/** The value of each run, with the difference to the first. */
function Values(props: {
  readonly metric: SliceMetric | undefined
  readonly kind: SliceMetric['kind']
  readonly runCount: number
  readonly isLower: boolean
}) {
  const { metric, kind, runCount, isLower } = props
  return (
    <span className="stack">
      {Array.from({ length: runCount }, (_, n) => {
        const value = metric?.values[n]
        const isPartial = metric?.isPartial[n] === true
        const difference = n === 0 || metric === undefined ? undefined : sliceDifference(metric, n, isLower)
        return (
          <span key={n} className={styles.value} title={exactMetricValue(kind, value, isPartial)}>
            {runCount > 1 && <span className="hint">{columnLetter(n)} </span>}
            {formatMetricValue(kind, value, isPartial)}
            {difference !== undefined && (
              <span className="difference hint" data-tone={difference.tone}>
                {' '}
                {difference.text}
              </span>
            )}
          </span>
        )
      })}
    </span>
  )
}

/** Failed examples differ by their number; a share of a small number would mislead. */
function sliceDifference(metric: SliceMetric, n: number, isLower: boolean) {
  const difference = formatMetricDifference(metric, n, isLower)
  const change = (metric.values[n] ?? 0) - (metric.values[0] ?? 0)
  return metric.id === FAILED
    ? difference && { ...difference, text: formatScoreDifference(change, false) }
    : difference
}
