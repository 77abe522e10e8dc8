import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { KindIcon } from '../call/kind-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { formatDuration } from '../time/format.ts'
import { type Place, placeOf } from './align.ts'
import { letterOf } from './compare-search.ts'
import type { CompareRow } from './compare-rows.ts'
import styles from './compare-tree.module.css'
import { type ComparedCall, differs } from './compared-call.ts'
import { differenceOf } from './difference.ts'

const ROW_HEIGHT = 30
/** Deeper calls are drawn at the same place: their names need room too. */
const DEEPEST = 16

interface Props {
  readonly rows: readonly CompareRow[]
  /** How many calls are compared. */
  readonly count: number
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** The structure that the traces share, with what each of them has at every place. */
export function CompareTree({ rows, count, selected, onSelect, onToggle }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
  })
  const at = rows.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at)
  }, [at])
  const style = { '--count': count } as CSSProperties
  return (
    <div className={styles.tree} style={style}>
      <div className={styles.head} aria-hidden="true">
        <span>Calls by op</span>
        {Array.from({ length: count }, (_, n) => (
          <span key={n} className={styles.cell}>
            {letterOf(n)}
          </span>
        ))}
      </div>
      <div ref={scroller} className={styles.scroller} role="region" aria-label="Structure" tabIndex={0}>
        <div
          role="tree"
          aria-label="Structure of the calls"
          className={styles.body}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <Row
                key={row.id}
                row={row}
                count={count}
                start={start}
                isSelected={row.id === selected}
                onSelect={onSelect}
                onToggle={onToggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  readonly row: CompareRow
  readonly count: number
  readonly start: number
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

function Row({ row, count, start, isSelected, onSelect, onToggle }: RowProps) {
  const { node, depth, isCollapsed, id } = row
  const call = node.calls.find((each) => each !== undefined)
  if (call === undefined) return null
  const isGone = node.calls[0] === undefined ? 'added' : undefined
  const style = {
    transform: `translateY(${start}px)`,
    '--depth': Math.min(depth, DEEPEST),
  } as CSSProperties
  const isFoldable = node.children.length > 0
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(isFoldable ? { 'aria-expanded': !isCollapsed } : {})}
      className={styles.row}
      data-different={row.isDifferent || undefined}
      data-place={isGone}
      style={style}
      onClick={() => onSelect(id)}
    >
      <span className={styles.first}>
        <span className={styles.lines} aria-hidden="true" />
        {isFoldable ? (
          <button
            type="button"
            className={styles.fold}
            tabIndex={-1}
            aria-label={isCollapsed ? `Unfold ${node.key}` : `Fold ${node.key}`}
            onClick={(event) => {
              event.stopPropagation()
              onToggle(id)
            }}
          >
            <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
          </button>
        ) : (
          <span className={styles.fold} />
        )}
        <KindIcon
          kind={call.kind}
          isFailed={node.calls.some((each) => each !== undefined && each.facts.exception !== null)}
          isRunning={false}
        />
        <span className={`${styles.name} foreign`}>{call.facts.name}</span>
        {isCollapsed && isFoldable && <span className={styles.folded}>{node.children.length}</span>}
        <TextMarks calls={node.calls} count={count} />
      </span>
      {Array.from({ length: count }, (_, n) => (
        <PlaceCell
          key={n}
          call={node.calls[n]}
          base={node.calls[0]}
          place={n === 0 ? 'same' : placeOf(node, n)}
        />
      ))}
    </div>
  )
}

/** Whether what went in or came out differs between the first call and any other. */
function TextMarks(props: { readonly calls: readonly (ComparedCall | undefined)[]; readonly count: number }) {
  const [base] = props.calls
  if (base === undefined) return null
  let inputs = false
  let output = false
  for (let n = 1; n < props.count; n++) {
    const call = props.calls[n]
    if (call === undefined) continue
    const found = differs(base, call)
    inputs ||= found.inputs
    output ||= found.output
  }
  if (!inputs && !output) return null
  const words = inputs && output ? 'in, out' : inputs ? 'in' : 'out'
  const title =
    inputs && output ? 'Inputs and output differ' : inputs ? 'Inputs differ' : 'The output differs'
  return (
    <span className={styles.text} title={title}>
      <span aria-hidden="true">{words} ≠</span>
      <span className="visually-hidden">, {title}</span>
    </span>
  )
}

const SIGNS: Readonly<Record<Place, string>> = { same: '', moved: '↷', added: '+', removed: '−', absent: '' }

const WORDS: Readonly<Record<Place, string>> = {
  same: '',
  moved: 'moved',
  added: 'added',
  removed: 'removed',
  absent: 'not there',
}

function PlaceCell(props: {
  readonly call: ComparedCall | undefined
  readonly base: ComparedCall | undefined
  readonly place: Place
}) {
  const { call, base, place } = props
  const latency = call?.facts.latencyMs
  const difference = call === base ? undefined : differenceOf(base?.facts.latencyMs, latency, 'duration')
  const title = [WORDS[place], difference?.text].filter((word) => word).join(', ')
  return (
    <span
      className={styles.cell}
      data-place={place}
      data-tone={difference?.tone}
      title={title === '' ? undefined : title}
    >
      {SIGNS[place] !== '' && (
        <span className={styles.sign} aria-hidden="true">
          {SIGNS[place]}
        </span>
      )}
      {WORDS[place] !== '' && <span className="visually-hidden">{WORDS[place]} </span>}
      {call === undefined ? (
        place === 'absent' || place === 'same' ? (
          '–'
        ) : (
          ''
        )
      ) : latency === undefined ? (
        '…'
      ) : (
        <>
          {difference?.tone === 'worse' && <span aria-hidden="true">▴ </span>}
          {difference?.tone === 'better' && <span aria-hidden="true">▾ </span>}
          {formatDuration(latency)}
        </>
      )}
    </span>
  )
}
