import { type ReactNode, useMemo } from 'react'
import { BarList } from '../charts/bar-list.tsx'
import { Chart } from '../charts/chart.tsx'
import { ChartFrame } from '../charts/chart-frame.tsx'
import { MAX_SERIES, seriesColor } from '../charts/series.ts'
import '../charts/series.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { cellNumber, selectChartColumns, columnKind, rowsSortedByX } from './column-kinds.ts'
import styles from './sql-page.module.css'
import type { SqlResult } from './use-sql.ts'
import { formatNumber } from '../ui/format.ts'

interface Props {
  readonly result: SqlResult
  readonly xName: string | undefined
  readonly yNames: string | undefined
  readonly onX: (name: string) => void
  readonly onY: (name: string | undefined) => void
}

const MAX_BARS = 100

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
            className="native-input"
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
            className="native-input"
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

interface SavedProps {
  readonly result: SqlResult
  readonly title: string
  readonly x: string | undefined
  readonly y: string | undefined
  readonly about: ReactNode
}

/** Chart of the result of a saved query, without controls. */
export function SavedResultChart({ result, title, x, y, about }: SavedProps) {
  const columns = useMemo(() => selectChartColumns(result.columns, x, y), [result, x, y])
  if (columns === undefined || isText(result, columns.x)) {
    return (
      <ChartFrame title={title} about={about}>
        {columns === undefined ? (
          <p>A chart needs a numeric column and another column for the x axis.</p>
        ) : (
          <div className={styles.scroller} tabIndex={0} role="region" aria-label={`${title}, bars`}>
            <ResultBars result={result} x={columns.x} ys={columns.ys.slice(0, MAX_SERIES)} isFramed />
          </div>
        )}
      </ChartFrame>
    )
  }
  return (
    <ResultLines
      result={result}
      x={columns.x}
      ys={columns.ys.slice(0, MAX_SERIES)}
      title={title}
      about={about}
    />
  )
}

interface ResultChartProps {
  readonly result: SqlResult
  readonly x: number
  readonly ys: readonly number[]
}

function isText({ columns }: SqlResult, x: number): boolean {
  const column = columns[x]
  return column === undefined || columnKind(column) === 'text'
}

function ResultChart({ result, x, ys }: ResultChartProps) {
  if (isText(result, x)) return <ResultBars result={result} x={x} ys={ys} />
  return <ResultLines result={result} x={x} ys={ys} title={`By ${result.columns[x]?.name}`} about="" />
}

/** `isFramed`: within a chart that has a frame and a title of its own. */
function ResultBars({ result, x, ys, isFramed = false }: ResultChartProps & { readonly isFramed?: boolean }) {
  return (
    <>
      {ys.map((y) => (
        <section key={y} className={isFramed ? styles.framedBars : styles.bars}>
          {(!isFramed || ys.length > 1) && (
            <h2 className="isolate">{visibleText(result.columns[y]?.name ?? '')}</h2>
          )}
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

interface LinesProps extends ResultChartProps {
  readonly title: string
  readonly about: ReactNode
}

function ResultLines({ result, x, ys, title, about }: LinesProps) {
  const column = result.columns[x]
  const kind = column === undefined ? 'text' : columnKind(column)
  const sortedRows = useMemo(() => rowsSortedByX(result, x), [result, x])
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
  return (
    <Chart
      title={title}
      about={about}
      times={xs}
      isTime={kind === 'time'}
      endMs={xs.at(-1) ?? 0}
      series={series}
      kind="lines"
      format={formatNumber}
      totalLabel=""
      isTable={false}
    />
  )
}

function numberText(text: string | undefined): string {
  const value = cellNumber(text)
  return value === null ? (text ?? '') : formatNumber(value)
}
