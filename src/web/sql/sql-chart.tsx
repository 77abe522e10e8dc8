import { useMemo } from 'react'
import { BarList } from '../charts/bar-list.tsx'
import { Chart } from '../charts/chart.tsx'
import { MOST_SERIES, seriesColor } from '../charts/series.ts'
import '../charts/series.css'
import { Empty } from '../ui/empty.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { cellNumber, chartColumns, kindOf, rowsAlong } from './column-kinds.ts'
import styles from './sql-page.module.css'
import type { SqlResult } from './use-sql.ts'

interface Props {
  readonly result: SqlResult
  readonly xName: string | undefined
  readonly yNames: string | undefined
  readonly onX: (name: string) => void
  readonly onY: (name: string | undefined) => void
}

const MOST_BARS = 100

const NUMBER = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** An answer as a picture: along a time or a number as lines, along names as bars. */
export function SqlChart({ result, xName, yNames, onX, onY }: Props) {
  const chosen = useMemo(() => chartColumns(result.columns, xName, yNames), [result, xName, yNames])
  if (chosen === undefined) {
    return (
      <Empty icon="numbers" title="Nothing to draw">
        A chart needs a column of numbers, and another one to put them along: a time, a name or a number.
      </Empty>
    )
  }
  const numbers = result.columns.filter((column, i) => kindOf(column) === 'number' && i !== chosen.x)
  const shown = chosen.ys.map((i) => result.columns[i]?.name ?? '')
  return (
    <div className={styles.drawn}>
      <div className={styles.axes}>
        <label>
          Along{' '}
          <select
            className={styles.select}
            value={result.columns[chosen.x]?.name}
            onChange={(event) => onX(event.target.value)}
          >
            {result.columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Drawn{' '}
          <select
            className={styles.select}
            value={shown.length === numbers.length ? '' : shown[0]}
            onChange={(event) => onY(event.target.value === '' ? undefined : event.target.value)}
          >
            <option value="">all numbers</option>
            {numbers.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <Picture result={result} x={chosen.x} ys={chosen.ys.slice(0, MOST_SERIES)} />
    </div>
  )
}

interface PictureProps {
  readonly result: SqlResult
  readonly x: number
  readonly ys: readonly number[]
}

function Picture({ result, x, ys }: PictureProps) {
  const column = result.columns[x]
  const kind = column === undefined ? 'text' : kindOf(column)
  const along = useMemo(() => (kind === 'text' ? [] : rowsAlong(result, x)), [result, x, kind])
  const xs = useMemo(() => along.map((each) => each.x), [along])
  const series = useMemo(
    () =>
      ys.map((y, i) => ({
        name: result.columns[y]?.name ?? '',
        color: seriesColor(i),
        values: along.map(({ row }) => cellNumber(row[y])),
        total: '',
      })),
    [along, ys.join()],
  )
  if (kind === 'text') {
    return (
      <>
        {ys.map((y) => (
          <section key={y} className={styles.bars}>
            <h2 className="foreign">{visibleText(result.columns[y]?.name ?? '')}</h2>
            <BarList
              label={result.columns[y]?.name ?? ''}
              bars={result.rows.slice(0, MOST_BARS).map((row) => ({
                name: row[x] ?? '',
                value: cellNumber(row[y]) ?? 0,
                text: numberText(row[y]),
              }))}
            />
          </section>
        ))}
        {result.rows.length > MOST_BARS && <p>These are the first {MOST_BARS} rows.</p>}
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
