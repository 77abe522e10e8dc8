import { useMemo } from 'react'
import { BarList } from '../charts/bar-list.tsx'
import { Chart } from '../charts/chart.tsx'
import { MAX_SERIES, seriesColor } from '../charts/series.ts'
import '../charts/series.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { cellNumber, selectChartColumns, columnKind, rowsSortedByX } from './column-kinds.ts'
import styles from './sql-page.module.css'
import type { SqlResult } from './use-sql.ts'

interface Props {
  readonly result: SqlResult
  readonly xName: string | undefined
  readonly yNames: string | undefined
  readonly onX: (name: string) => void
  readonly onY: (name: string | undefined) => void
}

const MAX_BARS = 100

const NUMBER = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** Chart of a query result: lines over a time or number column, bars over a text column. */
export function SqlChart({ result, xName, yNames, onX, onY }: Props) {
  const chartColumns = useMemo(
    () => selectChartColumns(result.columns, xName, yNames),
    [result, xName, yNames],
  )
  if (chartColumns === undefined) {
    return (
      <EmptyState icon="chart" title="No chart for this result">
        A chart needs a numeric column and another column for the x axis.
      </EmptyState>
    )
  }
  const numericColumns = result.columns.filter(
    (column, i) => columnKind(column) === 'number' && i !== chartColumns.x,
  )
  const selectedNames = chartColumns.ys.map((i) => result.columns[i]?.name ?? '')
  return (
    <div className={styles.chart}>
      <div className={styles.axes}>
        <label>
          X axis{' '}
          <select
            className={styles.select}
            value={result.columns[chartColumns.x]?.name}
            onChange={(event) => onX(event.target.value)}
          >
            {result.columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Y axis{' '}
          <select
            className={styles.select}
            value={selectedNames.length === numericColumns.length ? '' : selectedNames[0]}
            onChange={(event) => onY(event.target.value === '' ? undefined : event.target.value)}
          >
            <option value="">All numeric columns</option>
            {numericColumns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <ResultChart result={result} x={chartColumns.x} ys={chartColumns.ys.slice(0, MAX_SERIES)} />
    </div>
  )
}

interface ResultChartProps {
  readonly result: SqlResult
  readonly x: number
  readonly ys: readonly number[]
}

function ResultChart({ result, x, ys }: ResultChartProps) {
  const column = result.columns[x]
  const kind = column === undefined ? 'text' : columnKind(column)
  const sortedRows = useMemo(() => (kind === 'text' ? [] : rowsSortedByX(result, x)), [result, x, kind])
  const xs = useMemo(() => sortedRows.map((each) => each.x), [sortedRows])
  const series = useMemo(
    () =>
      ys.map((y, i) => ({
        name: result.columns[y]?.name ?? '',
        color: seriesColor(i),
        values: sortedRows.map(({ row }) => cellNumber(row[y])),
        total: '',
      })),
    [sortedRows, ys.join()],
  )
  if (kind === 'text') {
    return (
      <>
        {ys.map((y) => (
          <section key={y} className={styles.bars}>
            <h2 className="isolate">{visibleText(result.columns[y]?.name ?? '')}</h2>
            <BarList
              label={result.columns[y]?.name ?? ''}
              bars={result.rows.slice(0, MAX_BARS).map((row) => ({
                name: row[x] ?? '',
                value: cellNumber(row[y]) ?? 0,
                text: numberText(row[y]),
              }))}
            />
          </section>
        ))}
        {result.rows.length > MAX_BARS && <p>Showing the first {MAX_BARS} rows.</p>}
      </>
    )
  }
  return (
    <Chart
      title={`By ${column?.name}`}
      about=""
      times={xs}
      isTime={kind === 'time'}
      endMs={xs.at(-1) ?? 0}
      series={series}
      kind="lines"
      format={(value) => NUMBER.format(value)}
      totalLabel=""
      isTable={false}
    />
  )
}

function numberText(text: string | undefined): string {
  const value = cellNumber(text)
  return value === null ? (text ?? '') : NUMBER.format(value)
}
