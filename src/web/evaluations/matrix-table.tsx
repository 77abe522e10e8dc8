import { Tooltip } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { PreviewLine } from '../call/preview-line.tsx'
import { columnLetter } from '../compare/compare-search.ts'
import { formatCost, formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration } from '../time/format.ts'
import { formatScore, formatScoreDifference } from './format-score.ts'
import type { ScoredRow, MatrixCell, ScoreColumn, RowChange } from './matrix.ts'
import styles from './matrix-table.module.css'
import type { Run } from './run.ts'
import { ModelName } from './run-table.tsx'

interface Props {
  readonly runs: readonly Run[]
  readonly rows: readonly ScoredRow[]
  readonly columns: readonly ScoreColumn[]
  readonly lowerIsBetter: ReadonlySet<string>
  readonly cursor: string | undefined
  readonly onOpen: (row: ScoredRow) => void
  /** Makes another run the baseline. */
  readonly onSetBaseline: ((n: number) => void) | undefined
  /** Text below the last example. */
  readonly foot: string
}

const ROW_HEIGHT = 86

/** Grid of examples × runs. Rows have a fixed height and are virtualized. */
export function MatrixTable({
  runs,
  rows,
  columns,
  lowerIsBetter,
  cursor,
  onOpen,
  onSetBaseline,
  foot,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  const cursorAt = rows.findIndex(({ digest }) => digest === cursor)
  useEffect(() => {
    if (cursorAt >= 0) virtual.scrollToIndex(cursorAt)
  }, [cursorAt])
  const style = { '--runs': runs.length } as CSSProperties
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="region"
      aria-label="Matrix of examples and runs"
    >
      <div
        role="grid"
        className={styles.grid}
        aria-label="Examples"
        aria-rowcount={rows.length + 1}
        style={style}
      >
        <div className={styles.head} role="row" aria-rowindex={1}>
          <div role="columnheader" className={styles.headCell}>
            Example
          </div>
          {runs.map((run, n) => (
            <div key={run.id} role="columnheader" className={styles.headCell}>
              {runs.length > 1 && <RunLetter n={n} onSetBaseline={onSetBaseline} />}
              <span className={`${styles.runName} isolate`} title={run.name}>
                {visibleText(run.name)}
              </span>
              <span className={styles.model}>
                <ModelName model={run.model} />
              </span>
            </div>
          ))}
        </div>
        <div className={styles.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div
                key={row.digest}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                data-cursor={row.digest === cursor || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  if (window.getSelection()?.type !== 'Range') onOpen(row)
                }}
              >
                <div role="gridcell" className={styles.cell}>
                  <span className={styles.text}>
                    <PreviewLine json={row.inputText} />
                  </span>
                  <ChangeTags row={row} runCount={runs.length} />
                </div>
                {runs.map((run, n) => (
                  <div key={run.id} role="gridcell" className={styles.cell}>
                    <Cell
                      cell={row.cells[n]}
                      base={n === 0 ? undefined : row.cells[0]}
                      columns={columns}
                      lowerIsBetter={lowerIsBetter}
                    />
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      <p className={styles.foot} role="status">
        {foot}
      </p>
    </div>
  )
}

function RunLetter(props: { readonly n: number; readonly onSetBaseline: Props['onSetBaseline'] }) {
  const { n, onSetBaseline } = props
  if (n === 0 || onSetBaseline === undefined)
    return (
      <span className={styles.letter} data-base={n === 0 || undefined}>
        {columnLetter(n)}
      </span>
    )
  return (
    <Tooltip label="Use as baseline">
      <button
        type="button"
        className={styles.letter}
        aria-label={`Use ${columnLetter(n)} as baseline`}
        onClick={() => onSetBaseline(n)}
      >
        {columnLetter(n)}
      </button>
    </Tooltip>
  )
}

/** Tags that say how an example changed. Each has a symbol and a word, so that color is not needed to read them. */
function ChangeTags({ row, runCount }: { readonly row: ScoredRow; readonly runCount: number }) {
  const position = <span className={styles.position}>#{formatCount(row.index + 1)}</span>
  if (runCount === 1) {
    return (
      <span className={styles.tags}>
        {row.isFailed && (
          <span className={styles.tag} data-tone="worse">
            ✕ failed
          </span>
        )}
        {position}
      </span>
    )
  }
  return (
    <span className={styles.tags}>
      {changeTags(row.change).map(({ tone, text }) => (
        <span key={text} className={styles.tag} data-tone={tone}>
          {text}
        </span>
      ))}
      {position}
    </span>
  )
}

function changeTags({
  loss,
  gain,
  isDifferent,
}: RowChange): readonly { readonly tone: string; readonly text: string }[] {
  const tags = [
    ...(loss > 0 ? [{ tone: 'worse', text: '▾ regressed' }] : []),
    ...(gain > 0 ? [{ tone: 'better', text: '▴ improved' }] : []),
  ]
  if (tags.length > 0) return tags
  return [isDifferent ? { tone: 'other', text: '≠ changed' } : { tone: 'same', text: '= same' }]
}

interface CellProps {
  readonly cell: MatrixCell | undefined
  /** The baseline cell; undefined for the baseline run itself. */
  readonly base: MatrixCell | undefined
  readonly columns: readonly ScoreColumn[]
  readonly lowerIsBetter: ReadonlySet<string>
}

function Cell({ cell, base, columns, lowerIsBetter }: CellProps) {
  const trial = cell?.trials[0]
  if (cell === undefined || trial === undefined) return <span className={styles.none}>not run</span>
  const isDifferent = base !== undefined && base.trials[0]?.outputKey !== trial.outputKey
  return (
    <>
      <span className={styles.text} data-different={isDifferent || undefined}>
        {trial.outputText === '' ? (
          <span className={styles.none}>no output</span>
        ) : (
          <PreviewLine json={trial.outputText} />
        )}
      </span>
      <span className={styles.scores}>
        {columns.map((column) => (
          <Score
            key={column.name}
            column={column}
            value={cell.scores.get(column.name)}
            base={base?.scores.get(column.name)}
            isLower={lowerIsBetter.has(column.name)}
          />
        ))}
        <span className={styles.more}>
          {[
            cell.trials.length > 1 && `${cell.trials.length} trials`,
            trial.latencyMs !== undefined && formatDuration(trial.latencyMs),
            trial.cost !== undefined && formatCost(trial.cost),
          ]
            .filter((text) => text !== false)
            .join(' · ')}
        </span>
      </span>
    </>
  )
}

interface ScoreProps {
  readonly column: ScoreColumn
  readonly value: number | undefined
  readonly base: number | undefined
  readonly isLower: boolean
}

function Score({ column, value, base, isLower }: ScoreProps) {
  const { name, isBoolean } = column
  const short = name.split('.').at(-1) ?? name
  if (value === undefined) {
    if (base === undefined) return null
    return (
      <span className={styles.score} data-tone="worse" title={name}>
        <span className="isolate">{visibleText(short)}</span> no score
      </span>
    )
  }
  const delta = base === undefined ? 0 : value - base
  const tone = delta === 0 ? undefined : delta > 0 === !isLower ? 'better' : 'worse'
  const isPassFail = isBoolean && (value === 0 || value === 1)
  return (
    <span
      className={styles.score}
      data-tone={tone}
      data-failed={(isPassFail && (value === 0) !== isLower) || undefined}
      title={name}
    >
      <span className="isolate">{visibleText(short)}</span>{' '}
      {isPassFail ? (value === 1 ? '✓ yes' : '✕ no') : formatScore(value, isBoolean)}
      {tone !== undefined && !isPassFail && <> ({formatScoreDifference(delta, isBoolean)})</>}
    </span>
  )
}
