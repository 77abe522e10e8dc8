import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { StatusIcon } from '../call/status-icon.tsx'
import { formatCompact, formatCost, formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import tableStyles from '../traces/call-table.module.css'
import { formatScore } from './format-score.ts'
import type { NamedVersion, Run } from './run.ts'
import styles from './run-table.module.css'

interface Props {
  readonly runs: readonly Run[]
  /** Number of trials by run id. */
  readonly counts: ReadonlyMap<string, number>
  readonly cursor: string | undefined
  readonly selected: readonly string[]
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string) => void
  readonly onEvaluation: (name: string) => void
  readonly onEnd: () => void
}

const ROW_HEIGHT = 48

const COLUMNS = [
  { label: 'Run', width: 'minmax(200px, 1.5fr)' },
  { label: 'Evaluation', width: 'minmax(110px, 0.8fr)' },
  { label: 'Scores', width: 'minmax(220px, 2.4fr)' },
  { label: 'Started', width: '136px', isNumber: true },
  { label: 'Trials', width: '60px', isNumber: true },
  { label: 'Duration', width: '80px', isNumber: true },
  { label: 'Tokens', width: '72px', isNumber: true },
  { label: 'Cost', width: '84px', isNumber: true },
] as const satisfies readonly { label: string; width: string; isNumber?: boolean }[]

const TEMPLATE = `34px ${COLUMNS.map(({ width }) => width).join(' ')}`

/** Table of runs, in the style of the call table. Rows are virtualized. */
export function RunTable(props: Props) {
  const { runs, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const shown = rows.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (runs.length > 0 && lastShown >= runs.length - 10) onEnd()
  }, [lastShown, runs.length, onEnd])
  const cursorAt = runs.findIndex(({ id }) => id === props.cursor)
  useEffect(() => {
    if (cursorAt >= 0) rows.scrollToIndex(cursorAt)
  }, [cursorAt])
  const style = { '--columns': TEMPLATE } as CSSProperties
  return (
    <div ref={scroller} className={tableStyles.scroller} tabIndex={0} role="region" aria-label="List of runs">
      <div
        role="grid"
        className={tableStyles.grid}
        aria-label="Evaluation runs"
        aria-rowcount={runs.length + 1}
        style={style}
      >
        <div className={tableStyles.head} role="row" aria-rowindex={1}>
          <div role="columnheader" className={tableStyles.check}>
            <span className="visually-hidden">Selected</span>
          </div>
          {COLUMNS.map((column) => (
            <div
              key={column.label}
              role="columnheader"
              className={tableStyles.cell}
              data-number={'isNumber' in column || undefined}
            >
              <span className={tableStyles.label}>{column.label}</span>
            </div>
          ))}
        </div>
        <div className={tableStyles.body} role="rowgroup" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const run = runs[index]
            if (run === undefined) return null
            return (
              <Row
                key={run.id}
                run={run}
                count={props.counts.get(run.id)}
                index={index}
                start={start}
                isCursor={run.id === props.cursor}
                isSelected={props.selected.includes(run.id)}
                onOpen={props.onOpen}
                onSelect={props.onSelect}
                onEvaluation={props.onEvaluation}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  readonly run: Run
  readonly count: number | undefined
  readonly index: number
  readonly start: number
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string) => void
  readonly onEvaluation: (name: string) => void
}

function Row({ run, count, onOpen, onSelect, onEvaluation, ...row }: RowProps) {
  const project = useProject()
  const { call } = run
  const cell = tableStyles.cell
  return (
    <div
      role="row"
      aria-rowindex={row.index + 2}
      aria-selected={row.isSelected}
      className={`${tableStyles.row} ${styles.row}`}
      data-cursor={row.isCursor || undefined}
      style={{ transform: `translateY(${row.start}px)` }}
      onClick={() => {
        // Do not open the run when the user selects text to copy it.
        if (window.getSelection()?.type !== 'Range') onOpen(run.id)
      }}
    >
      <div role="gridcell" className={tableStyles.check} onClick={(event) => event.stopPropagation()}>
        <Checkbox
          aria-label={`Select ${run.name}`}
          checked={row.isSelected}
          onChange={() => onSelect(run.id)}
        />
      </div>
      <div role="gridcell" className={cell}>
        <StatusIcon status={call.status} isStale={call.isStale} />
        <span className={styles.run}>
          <Link
            className={`${tableStyles.name} isolate`}
            to="/$entity/$project/weave/evaluations/$call_id"
            params={{ ...projectParams(project), call_id: run.id }}
            search={{}}
            onClick={(event) => event.stopPropagation()}
          >
            {run.name === '' ? call.name : run.name}
          </Link>
          <span className={styles.model}>
            <ModelName model={run.model} />
          </span>
        </span>
      </div>
      <div role="gridcell" className={cell} onClick={(event) => event.stopPropagation()}>
        {run.evaluation.name !== '' && (
          <button
            type="button"
            className={`${styles.evaluation} isolate`}
            title="Filter by this evaluation"
            onClick={() => onEvaluation(run.evaluation.name)}
          >
            {visibleText(run.evaluation.name)}
          </button>
        )}
      </div>
      <div role="gridcell" className={cell}>
        <span className={styles.scores}>
          {run.scores.map(({ name, value, isShare }) => (
            <span key={name} className={styles.score} title={`${name} ${value}`}>
              <span className={`${styles.scoreName} isolate`}>{visibleText(name)}</span>{' '}
              {formatScore(value, isShare)}
            </span>
          ))}
        </span>
      </div>
      <div role="gridcell" className={cell} data-number>
        <time title={call.started_at}>{formatTime(call.started_at)}</time>
      </div>
      <div role="gridcell" className={cell} data-number>
        {count === undefined ? '' : formatCount(count)}
      </div>
      <div role="gridcell" className={cell} data-number>
        {call.latencyMs === undefined ? (
          call.isStale ? (
            <span className={tableStyles.faint} title="No end received">
              no end
            </span>
          ) : (
            <span className={tableStyles.running}>
              <Elapsed since={call.started_at} />
            </span>
          )
        ) : (
          formatDuration(call.latencyMs)
        )}
      </div>
      <div role="gridcell" className={cell} data-number>
        {call.tokens === undefined ? '' : formatCompact(call.tokens.total)}
      </div>
      <div role="gridcell" className={cell} data-number>
        {call.cost === undefined ? (call.unpriced.length > 0 ? 'no price' : '') : formatCost(call.cost)}
      </div>
    </div>
  )
}

/** The model name with a short version digest, which distinguishes versions of the same name. */
export function ModelName({ model }: { readonly model: NamedVersion }) {
  return (
    <span className="isolate">
      {visibleText(model.name)}
      {model.digest !== '' && <span className={styles.digest}> {model.digest.slice(0, 6)}</span>}
    </span>
  )
}
