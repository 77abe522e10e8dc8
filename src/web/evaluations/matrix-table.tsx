import { Tooltip } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { PreviewLine } from '../call/preview-line.tsx'
import { letterOf } from '../compare/compare-search.ts'
import { formatCost, formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration } from '../time/format.ts'
import { formatScore, formatScoreDifference } from './format-score.ts'
import type { JudgedRow, MatrixCell, ScoreColumn, Verdict } from './matrix.ts'
import styles from './matrix-table.module.css'
import type { Run } from './run.ts'
import { ModelName } from './run-table.tsx'

interface Props {
  readonly runs: readonly Run[]
  readonly rows: readonly JudgedRow[]
  readonly columns: readonly ScoreColumn[]
  readonly lowerIsBetter: ReadonlySet<string>
  readonly cursor: string | undefined
  readonly onOpen: (row: JudgedRow) => void
  /** Measures the others by another run. */
  readonly onFirst: ((n: number) => void) | undefined
  /** What stands below the last example. */
  readonly foot: string
}

const ROW_HEIGHT = 86

/** Examples × runs. Rows have one height, and only those are drawn that can be seen. */
export function MatrixTable({ runs, rows, columns, lowerIsBetter, cursor, onOpen, onFirst, foot }: Props) {
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
              {runs.length > 1 && <Letter n={n} onFirst={onFirst} />}
              <span className={`${styles.runName} foreign`} title={run.name}>
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
                  <VerdictMark row={row} runCount={runs.length} />
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

function Letter({ n, onFirst }: { readonly n: number; readonly onFirst: Props['onFirst'] }) {
  if (n === 0 || onFirst === undefined)
    return (
      <span className={styles.letter} data-base={n === 0 || undefined}>
        {letterOf(n)}
      </span>
    )
  return (
    <Tooltip label="Measure the others by this run">
      <button
        type="button"
        className={styles.letter}
        aria-label={`Measure by ${letterOf(n)}`}
        onClick={() => onFirst(n)}
      >
        {letterOf(n)}
      </button>
    </Tooltip>
  )
}

/** A sign and a word for each, so that nobody has to tell them apart by colour. */
function VerdictMark({ row, runCount }: { readonly row: JudgedRow; readonly runCount: number }) {
  const place = <span className={styles.place}>#{formatCount(row.index + 1)}</span>
  if (runCount === 1) {
    return (
      <span className={styles.verdict}>
        {row.isFailed && (
          <span className={styles.tag} data-tone="worse">
            ✕ not passed
          </span>
        )}
        {place}
      </span>
    )
  }
  return (
    <span className={styles.verdict}>
      {tagsOf(row.verdict).map(({ tone, text }) => (
        <span key={text} className={styles.tag} data-tone={tone}>
          {text}
        </span>
      ))}
      {place}
    </span>
  )
}

function tagsOf({
  loss,
  gain,
  isDifferent,
}: Verdict): readonly { readonly tone: string; readonly text: string }[] {
  const tags = [
    ...(loss > 0 ? [{ tone: 'worse', text: '▾ worse' }] : []),
    ...(gain > 0 ? [{ tone: 'better', text: '▴ better' }] : []),
  ]
  if (tags.length > 0) return tags
  return [isDifferent ? { tone: 'other', text: '≠ differs' } : { tone: 'same', text: '= same' }]
}

interface CellProps {
  readonly cell: MatrixCell | undefined
  /** What it is measured by; undefined for the first run. */
  readonly base: MatrixCell | undefined
  readonly columns: readonly ScoreColumn[]
  readonly lowerIsBetter: ReadonlySet<string>
}

function Cell({ cell, base, columns, lowerIsBetter }: CellProps) {
  const trial = cell?.trials[0]
  if (cell === undefined || trial === undefined) return <span className={styles.none}>not tried</span>
  const isOther = base !== undefined && base.trials[0]?.outputKey !== trial.outputKey
  return (
    <>
      <span className={styles.text} data-other={isOther || undefined}>
        {trial.outputText === '' ? (
          <span className={styles.none}>no output</span>
        ) : (
          <PreviewLine json={trial.outputText} />
        )}
      </span>
      <span className={styles.facts}>
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
  const { name, isVerdict } = column
  const short = name.split('.').at(-1) ?? name
  if (value === undefined) {
    if (base === undefined) return null
    return (
      <span className={styles.score} data-tone="worse" title={name}>
        <span className="foreign">{visibleText(short)}</span> no score
      </span>
    )
  }
  const delta = base === undefined ? 0 : value - base
  const tone = delta === 0 ? undefined : delta > 0 === !isLower ? 'better' : 'worse'
  const isPlain = isVerdict && (value === 0 || value === 1)
  return (
    <span
      className={styles.score}
      data-tone={tone}
      data-failed={(isPlain && (value === 0) !== isLower) || undefined}
      title={name}
    >
      <span className="foreign">{visibleText(short)}</span>{' '}
      {isPlain ? (value === 1 ? '✓ yes' : '✕ no') : formatScore(value, isVerdict)}
      {tone !== undefined && !isPlain && <> ({formatScoreDifference(delta, isVerdict)})</>}
    </span>
  )
}
