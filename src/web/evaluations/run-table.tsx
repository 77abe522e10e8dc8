import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { StatusMark } from '../call/status-mark.tsx'
import { formatCompact, formatCost, formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import tableStyles from '../traces/call-table.module.css'
import { formatScore } from './format-score.ts'
import type { Named, Run } from './run.ts'
import styles from './run-table.module.css'

interface Props {
  readonly runs: readonly Run[]
  /** Trials by run. */
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
  { label: 'Rows', width: '60px', isNumber: true },
  { label: 'Took', width: '80px', isNumber: true },
  { label: 'Tokens', width: '72px', isNumber: true },
  { label: 'Cost', width: '84px', isNumber: true },
] as const satisfies readonly { label: string; width: string; isNumber?: boolean }[]

const TEMPLATE = `34px ${COLUMNS.map(({ width }) => width).join(' ')}`

/** Runs in rows, drawn as the list of calls draws them. */
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
        aria-label="Runs of evaluations"
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
  const { facts } = run
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
        // A text that was just marked is meant to be copied.
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
        <StatusMark status={facts.status} isStale={facts.isStale} />
        <span className={styles.run}>
          <Link
            className={`${tableStyles.name} foreign`}
            to="/$entity/$project/weave/evaluations/$call_id"
            params={{ ...inPath(project), call_id: run.id }}
            search={{}}
            onClick={(event) => event.stopPropagation()}
          >
            {run.name === '' ? facts.name : run.name}
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
            className={`${styles.evaluation} foreign`}
            title="Only runs of this evaluation"
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
              <span className={`${styles.scoreName} foreign`}>{visibleText(name)}</span>{' '}
              {formatScore(value, isShare)}
            </span>
          ))}
        </span>
      </div>
      <div role="gridcell" className={cell} data-number>
        <time title={facts.started_at}>{formatTime(facts.started_at)}</time>
      </div>
      <div role="gridcell" className={cell} data-number>
        {count === undefined ? '' : formatCount(count)}
      </div>
      <div role="gridcell" className={cell} data-number>
        {facts.latencyMs === undefined ? (
          facts.isStale ? (
            <span className={tableStyles.faint}>no end</span>
          ) : (
            <span className={tableStyles.running}>
              <Elapsed since={facts.started_at} />
            </span>
          )
        ) : (
          formatDuration(facts.latencyMs)
        )}
      </div>
      <div role="gridcell" className={cell} data-number>
        {facts.tokens === undefined ? '' : formatCompact(facts.tokens.total)}
      </div>
      <div role="gridcell" className={cell} data-number>
        {facts.cost === undefined ? (facts.unpriced.length > 0 ? 'no price' : '') : formatCost(facts.cost)}
      </div>
    </div>
  )
}

/** A model with the beginning of its version, by which two of the same name are told apart. */
export function ModelName({ model }: { readonly model: Named }) {
  return (
    <span className="foreign">
      {visibleText(model.name)}
      {model.digest !== '' && <span className={styles.digest}> {model.digest.slice(0, 6)}</span>}
    </span>
  )
}
