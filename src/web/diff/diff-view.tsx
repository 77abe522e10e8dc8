import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useMemo, useRef, useState } from 'react'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './diff-view.module.css'
import { foldRows, type ShownRow } from './fold-rows.ts'
import { type DiffRow, diffLines, type LineDiff, unified } from './line-diff.ts'
import { diffWords, type Range } from './word-diff.ts'

export type DiffLayout = 'split' | 'unified'

interface Props {
  readonly left: string
  readonly right: string
  /** What the two are called. */
  readonly leftName: string
  readonly rightName: string
  readonly layout: DiffLayout
}

/** Comparisons of up to so many lines are drawn whole; of longer ones only what can be seen. */
const DRAWN_LINES = 400

/** Two texts, line by line. What is equal and far from any change is folded. All of it is text. */
export function DiffView({ left, right, leftName, rightName, layout }: Props) {
  const diff = useMemo(() => diffLines(left, right), [left, right])
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => (layout === 'split' ? diff.rows : unified(diff.rows)), [diff, layout])
  const shown = useMemo(() => foldRows(rows, opened), [rows, opened])
  if (diff.goneCount + diff.addedCount === 0) return <p className={styles.equal}>No difference.</p>
  const open = (from: number): void => setOpened(new Set([...opened, from]))
  const body = { diff, shown, layout, onOpen: open }
  return (
    <div className={styles.view} role="group" aria-label={`${leftName} and ${rightName}, compared`}>
      <p className={styles.counts}>
        <span className={styles.goneCount}>− {formatCount(diff.goneCount)}</span>
        <span className={styles.addedCount}>+ {formatCount(diff.addedCount)}</span>
        <span>{diff.goneCount + diff.addedCount === 1 ? 'line' : 'lines'}</span>
      </p>
      {layout === 'split' && (
        <div className={styles.names}>
          <span className="foreign">{visibleText(leftName)}</span>
          <span className="foreign">{visibleText(rightName)}</span>
        </div>
      )}
      {shown.length <= DRAWN_LINES ? <WholeBody {...body} /> : <LongBody {...body} />}
    </div>
  )
}

interface BodyProps {
  readonly diff: LineDiff
  readonly shown: readonly ShownRow[]
  readonly layout: DiffLayout
  readonly onOpen: (from: number) => void
}

function WholeBody(props: BodyProps) {
  return (
    <div className={styles.lines}>
      {props.shown.map((shown) => (
        <ShownLine key={keyOf(shown)} {...props} row={shown} />
      ))}
    </div>
  )
}

function LongBody(props: BodyProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useVirtualizer({
    count: props.shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 30,
  })
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label="Lines of the comparison"
      tabIndex={0}
    >
      <div className={styles.all} style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const shown = props.shown[index]
          if (shown === undefined) return null
          return (
            <div
              key={index}
              ref={lines.measureElement}
              data-index={index}
              className={styles.placed}
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

function keyOf(shown: ShownRow): string {
  return shown.kind === 'fold' ? `fold ${shown.from}` : `${shown.row.left} ${shown.row.right}`
}

function ShownLine({ diff, layout, row, onOpen }: Omit<BodyProps, 'shown'> & { readonly row: ShownRow }) {
  if (row.kind === 'fold') {
    return (
      <button type="button" className={styles.fold} onClick={() => onOpen(row.from)}>
        Show {formatCount(row.count)} equal lines
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
  const left = textAt(diff.left, row.left ?? (row.isSame ? undefined : row.partner))
  const right = textAt(diff.right, row.right ?? (row.isSame ? undefined : row.partner))
  const words = useMemo(
    () => (!row.isSame && left !== undefined && right !== undefined ? diffWords(left, right) : undefined),
    [row.isSame, left, right],
  )
  if (layout === 'unified') {
    const isGone = row.right === undefined
    return (
      <div className={styles.line}>
        <Numbers row={row} />
        <Side
          text={isGone ? left : right}
          change={row.isSame ? undefined : isGone ? 'gone' : 'added'}
          ranges={(isGone ? words?.left : words?.right) ?? NO_RANGES}
        />
      </div>
    )
  }
  return (
    <div className={styles.pair}>
      <Number value={row.left} />
      <Side text={left} change={row.isSame ? undefined : 'gone'} ranges={words?.left ?? NO_RANGES} />
      <Number value={row.right} />
      <Side text={right} change={row.isSame ? undefined : 'added'} ranges={words?.right ?? NO_RANGES} />
    </div>
  )
})

function textAt(lines: readonly string[], index: number | undefined): string | undefined {
  return index === undefined ? undefined : lines[index]
}

function Numbers({ row }: { readonly row: DiffRow }) {
  return (
    <>
      <Number value={row.left} />
      <Number value={row.right} />
    </>
  )
}

function Number({ value }: { readonly value: number | undefined }) {
  return <span className={styles.number}>{value === undefined ? '' : value + 1}</span>
}

/** So much of a line is drawn: what comes after is cut, and said to be. */
const MOST_CHARACTERS = 20_000

interface SideProps {
  readonly text: string | undefined
  readonly change: 'gone' | 'added' | undefined
  readonly ranges: readonly Range[]
}

function Side({ text, change, ranges }: SideProps) {
  if (text === undefined) return <span className={styles.nothing} />
  const isCut = text.length > MOST_CHARACTERS
  const sign = change === 'gone' ? '−' : change === 'added' ? '+' : ' '
  return (
    <span className={styles.side} data-change={change}>
      <span className={styles.sign} aria-hidden="true">
        {sign}
      </span>
      {change !== undefined && (
        <span className="visually-hidden">{change === 'gone' ? 'removed: ' : 'added: '}</span>
      )}
      <span className={`${styles.text} foreign`}>
        {isCut ? (
          `${visibleText(text.slice(0, MOST_CHARACTERS))}… (cut)`
        ) : (
          <Marked text={text} ranges={ranges} />
        )}
      </span>
    </span>
  )
}

function Marked({ text, ranges }: { readonly text: string; readonly ranges: readonly Range[] }) {
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
