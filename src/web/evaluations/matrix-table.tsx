import { Tooltip } from '@mantine/core'
import { useMemo } from 'react'
import { PreviewLine } from '../call/preview-line.tsx'
import { columnLetter } from '../compare/compared-ids.ts'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import {
  exactCost,
  formatCount,
  formatDuration,
  formatKnownCost,
  formatScore,
  formatScoreDifference,
} from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import type { ScoredRow, MatrixCell, MatrixTrial, ScoreColumn, RowChange } from './matrix.ts'
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

/** Grid of examples × runs. */
export function MatrixTable(props: Props) {
  const { runs, rows, columns: scores, lowerIsBetter, onSetBaseline } = props
  const columns = useMemo(
    (): readonly GridColumn<ScoredRow>[] => [
      {
        id: 'example',
        label: 'Example',
        width: 'minmax(220px, 0.8fr)',
        cell: (row) => (
          <>
            <span className={styles.text}>
              <PreviewLine json={row.inputText} />
            </span>
            <ChangeTags row={row} runCount={runs.length} />
          </>
        ),
      },
      ...runs.map((run, n): GridColumn<ScoredRow> => ({
        id: run.id,
        label: run.name,
        header: (
          <>
            {runs.length > 1 && <RunLetter n={n} onSetBaseline={onSetBaseline} />}
            <span className={`${styles.runName} isolate`} title={run.name}>
              {visibleText(run.name)}
            </span>
            <ModelName model={run.model} />
          </>
        ),
        width: 'minmax(260px, 1fr)',
        cell: ({ cells }) => (
          <Cell
            cell={cells[n]}
            base={n === 0 ? undefined : cells[0]}
            columns={scores}
            lowerIsBetter={lowerIsBetter}
          />
        ),
      })),
    ],
    [runs, scores, lowerIsBetter, onSetBaseline],
  )
  const cursorAt = rows.findIndex(({ digest }) => digest === props.cursor)
  return (
    <DataGrid
      label="Examples"
      regionLabel="Matrix of examples and runs"
      className={styles.matrix}
      isRoomy
      rows={rows}
      rowId={({ digest }) => digest}
      columns={columns}
      rowHeightPx={86}
      cursor={cursorAt < 0 ? undefined : { row: cursorAt }}
      onOpen={props.onOpen}
      footer={props.foot}
    />
  )
}

function RunLetter(props: { readonly n: number; readonly onSetBaseline: Props['onSetBaseline'] }) {
  const { n, onSetBaseline } = props
  if (n === 0 || onSetBaseline === undefined)
    return (
      <span className="letter" data-base={n === 0 || undefined}>
        {columnLetter(n)}
      </span>
    )
  return (
    <Tooltip label="Use as baseline">
      <button
        type="button"
        className={`${styles.setBaseline} letter`}
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
            {row.cells[0]?.trials.some(({ error }) => error !== undefined) === true ? '✕ error' : '✕ failed'}
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
  if (cell === undefined || trial === undefined) return <span className="none">not run</span>
  const failed = cell.trials.find(({ error }) => error !== undefined)
  const isDifferent = base !== undefined && base.trials[0]?.outputKey !== trial.outputKey
  return (
    <>
      <span className={styles.text} data-different={isDifferent || undefined}>
        {failed?.error !== undefined ? (
          <span className="bad isolate">{failed.error}</span>
        ) : trial.outputText === '' ? (
          <span className="none">no output</span>
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
        <span className={styles.more} title={exactText(trial)}>
          {[
            cell.trials.length > 1 && `${cell.trials.length} trials`,
            trial.latencyMs !== undefined && formatDuration(trial.latencyMs),
            trial.tokens !== undefined && `${formatCount(trial.tokens)} tokens`,
            formatKnownCost(trial.cost, trial.isPartialCost),
          ]
            .filter((text) => text !== false && text !== undefined)
            .join(' · ')}
        </span>
      </span>
    </>
  )
}

function exactText({ latencyMs, cost }: MatrixTrial): string {
  return [
    ...(latencyMs === undefined ? [] : [`Model latency ${latencyMs} ms`]),
    ...(cost === undefined ? [] : [`Cost of model and scorers ${exactCost(cost)}`]),
  ].join('\n')
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
      title={`${name} ${value}`}
    >
      <span className="isolate">{visibleText(short)}</span>{' '}
      {isPassFail ? (value === 1 ? '✓ yes' : '✕ no') : formatScore(value, isBoolean)}
      {tone !== undefined && !isPassFail && <> ({formatScoreDifference(delta, isBoolean)})</>}
    </span>
  )
}
