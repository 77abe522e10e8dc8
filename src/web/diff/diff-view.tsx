import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useMemo, useRef, useState } from 'react'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './diff-view.module.css'
import { collapseRows, type ShownRow } from './collapse-rows.ts'
import { type DiffRow, diffLines, type LineDiff, toUnified } from './line-diff.ts'
import { maskVolatile } from './volatile.ts'
import { diffWords, type Range } from './word-diff.ts'

export type DiffLayout = 'split' | 'unified'

interface Props {
  readonly left: string
  readonly right: string
  /** Names of the two sides. */
  readonly leftName: string
  readonly rightName: string
  readonly layout: DiffLayout
  /** Lines that differ in ids, times and durations only are unchanged. */
  readonly ignoresVolatile?: boolean
}

/** Longer diffs are virtualized. */
const MAX_UNVIRTUALIZED_ROWS = 400

/** Line diff of two texts, with word changes highlighted. Unchanged lines far from a change are collapsed. */
export function DiffView({ left, right, leftName, rightName, layout, ignoresVolatile = false }: Props) {
  const diff = useMemo(
    () => diffLines(left, right, ignoresVolatile ? maskVolatile : undefined),
    [left, right, ignoresVolatile],
  )
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => (layout === 'split' ? diff.rows : toUnified(diff.rows)), [diff, layout])
  const shown = useMemo(() => collapseRows(rows, expanded), [rows, expanded])
  if (diff.removedCount + diff.addedCount === 0)
    return (
      <p className={styles.noDifferences}>
        {left === right ? 'No differences' : 'No differences, except for IDs and times'}
      </p>
    )
  const expand = (from: number): void => setExpanded(new Set([...expanded, from]))
  const body = { diff, shown, layout, onExpand: expand }
  return (
    <div className="frame" role="group" aria-label={`Diff of ${leftName} and ${rightName}`}>
      <p className={styles.counts}>
        <span className="bad">− {formatCount(diff.removedCount)}</span>
        <span className="ok">+ {formatCount(diff.addedCount)}</span>
        <span>{diff.removedCount + diff.addedCount === 1 ? 'line' : 'lines'}</span>
      </p>
      {layout === 'split' && (
        <div className={styles.names}>
          <span className="isolate">{visibleText(leftName)}</span>
          <span className="isolate">{visibleText(rightName)}</span>
        </div>
      )}
      {shown.length <= MAX_UNVIRTUALIZED_ROWS ? <PlainBody {...body} /> : <VirtualBody {...body} />}
    </div>
  )
}

interface BodyProps {
  readonly diff: LineDiff
  readonly shown: readonly ShownRow[]
  readonly layout: DiffLayout
  readonly onExpand: (from: number) => void
}

function PlainBody(props: BodyProps) {
  return (
    <div className={styles.lines}>
      {props.shown.map((shown) => (
        <ShownLine key={rowKey(shown)} {...props} row={shown} />
      ))}
    </div>
  )
}

function VirtualBody(props: BodyProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useVirtualizer({
    count: props.shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 30,
  })
  return (
    <div ref={scroller} className={styles.scroller} role="region" aria-label="Diff lines" tabIndex={0}>
      <div className={styles.content} style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const shown = props.shown[index]
          if (shown === undefined) return null
          return (
            <div
              key={index}
              ref={lines.measureElement}
              data-index={index}
              className={styles.virtualRow}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ShownLine {...props} row={shown} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function rowKey(shown: ShownRow): string {
  return shown.kind === 'collapsed' ? `collapsed ${shown.from}` : `${shown.row.left} ${shown.row.right}`
}

function ShownLine({ diff, layout, row, onExpand }: Omit<BodyProps, 'shown'> & { readonly row: ShownRow }) {
  if (row.kind === 'collapsed') {
    return (
      <button type="button" className={styles.collapsed} onClick={() => onExpand(row.from)}>
        Show {formatCount(row.count)} unchanged lines
      </button>
    )
  }
  return <Line diff={diff} row={row.row} layout={layout} />
}

interface LineProps {
  readonly diff: LineDiff
  readonly row: DiffRow
  readonly layout: DiffLayout
}

const NO_RANGES: readonly Range[] = []

const Line = memo(function Line({ diff, row, layout }: LineProps) {
  const left = textAt(diff.left, row.left ?? (row.isUnchanged ? undefined : row.counterpart))
  const right = textAt(diff.right, row.right ?? (row.isUnchanged ? undefined : row.counterpart))
  const words = useMemo(
    () =>
      !row.isUnchanged && left !== undefined && right !== undefined ? diffWords(left, right) : undefined,
    [row.isUnchanged, left, right],
  )
  if (layout === 'unified') {
    const isRemoved = row.right === undefined
    return (
      <div className={styles.line}>
        <LineNumbers row={row} />
        <Side
          text={isRemoved ? left : right}
          change={row.isUnchanged ? undefined : isRemoved ? 'removed' : 'added'}
          ranges={(isRemoved ? words?.left : words?.right) ?? NO_RANGES}
        />
      </div>
    )
  }
  return (
    <div className={styles.pair}>
      <LineNumber value={row.left} />
      <Side text={left} change={row.isUnchanged ? undefined : 'removed'} ranges={words?.left ?? NO_RANGES} />
      <LineNumber value={row.right} />
      <Side text={right} change={row.isUnchanged ? undefined : 'added'} ranges={words?.right ?? NO_RANGES} />
    </div>
  )
})

function textAt(lines: readonly string[], index: number | undefined): string | undefined {
  return index === undefined ? undefined : lines[index]
}

function LineNumbers({ row }: { readonly row: DiffRow }) {
  return (
    <>
      <LineNumber value={row.left} />
      <LineNumber value={row.right} />
    </>
  )
}

function LineNumber({ value }: { readonly value: number | undefined }) {
  return <span className={styles.number}>{value === undefined ? '' : value + 1}</span>
}

/** Longer lines are truncated, with a note. */
const MAX_LINE_CHARACTERS = 20_000

interface SideProps {
  readonly text: string | undefined
  readonly change: 'removed' | 'added' | undefined
  readonly ranges: readonly Range[]
}

function Side({ text, change, ranges }: SideProps) {
  if (text === undefined) return <span className={styles.missing} />
  const isTruncated = text.length > MAX_LINE_CHARACTERS
  const sign = change === 'removed' ? '−' : change === 'added' ? '+' : ' '
  return (
    <span className={styles.side} data-change={change}>
      <span className={styles.sign} aria-hidden="true">
        {sign}
      </span>
      {change !== undefined && (
        <span className="visually-hidden">{change === 'removed' ? 'removed: ' : 'added: '}</span>
      )}
      <span className={`${styles.text} isolate`}>
        {isTruncated ? (
          `${visibleText(text.slice(0, MAX_LINE_CHARACTERS))}… (truncated)`
        ) : (
          <HighlightedText text={text} ranges={ranges} />
        )}
      </span>
    </span>
  )
}

function HighlightedText({ text, ranges }: { readonly text: string; readonly ranges: readonly Range[] }) {
  if (ranges.length === 0) return <>{visibleText(text)}</>
  const parts: React.ReactNode[] = []
  let at = 0
  for (const [from, to] of ranges) {
    parts.push(visibleText(text.slice(at, from)), <b key={from}>{visibleText(text.slice(from, to))}</b>)
    at = to
  }
  return (
    <>
      {parts}
      {visibleText(text.slice(at))}
    </>
  )
}
