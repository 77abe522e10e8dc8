import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { KindIcon } from '../call/kind-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { formatDuration } from '../time/format.ts'
import { type AlignmentStatus, alignmentStatus } from './tree-alignment.ts'
import { columnLetter } from './compare-search.ts'
import type { CompareRow } from './compare-rows.ts'
import styles from './compare-tree.module.css'
import { type ComparedCall, payloadDifferences } from './compared-call.ts'
import { formatDifference } from './difference.ts'

const ROW_HEIGHT = 30
/** Deeper calls are not indented further, so that their names stay visible. */
const MAX_INDENT_DEPTH = 16

interface Props {
  readonly rows: readonly CompareRow[]
  /** Number of compared calls. */
  readonly count: number
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** The merged call tree, with the status and latency of each trace at every node. */
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
            {columnLetter(n)}
          </span>
        ))}
      </div>
      <div ref={scroller} className={styles.scroller} role="region" aria-label="Call tree" tabIndex={0}>
        <div
          role="tree"
          aria-label="Aligned calls"
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
  const status = node.calls[0] === undefined ? 'added' : undefined
  const style = {
    transform: `translateY(${start}px)`,
    '--depth': Math.min(depth, MAX_INDENT_DEPTH),
  } as CSSProperties
  const isCollapsible = node.children.length > 0
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(isCollapsible ? { 'aria-expanded': !isCollapsed } : {})}
      className={styles.row}
      data-different={row.isDifferent || undefined}
      data-status={status}
      style={style}
      onClick={() => onSelect(id)}
    >
      <span className={styles.first}>
        <span className={styles.lines} aria-hidden="true" />
        {isCollapsible ? (
          <button
            type="button"
            className={styles.toggle}
            tabIndex={-1}
            aria-label={isCollapsed ? `Expand ${node.key}` : `Collapse ${node.key}`}
            onClick={(event) => {
              event.stopPropagation()
              onToggle(id)
            }}
          >
            <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        <KindIcon
          kind={call.kind}
          isError={node.calls.some((each) => each !== undefined && each.item.exception !== null)}
          isRunning={false}
        />
        <span className={`${styles.name} isolate`}>{call.item.name}</span>
        {isCollapsed && isCollapsible && <span className={styles.childCount}>{node.children.length}</span>}
        <PayloadBadge calls={node.calls} count={count} />
      </span>
      {Array.from({ length: count }, (_, n) => (
        <CallCell
          key={n}
          call={node.calls[n]}
          base={node.calls[0]}
          status={n === 0 ? 'same' : alignmentStatus(node, n)}
        />
      ))}
    </div>
  )
}

/** Badge that says whether inputs or output of any call differ from the baseline. */
function PayloadBadge(props: {
  readonly calls: readonly (ComparedCall | undefined)[]
  readonly count: number
}) {
  const [base] = props.calls
  if (base === undefined) return null
  let inputs = false
  let output = false
  for (let n = 1; n < props.count; n++) {
    const call = props.calls[n]
    if (call === undefined) continue
    const found = payloadDifferences(base, call)
    inputs ||= found.inputs
    output ||= found.output
  }
  if (!inputs && !output) return null
  const words = inputs && output ? 'in, out' : inputs ? 'in' : 'out'
  const title = inputs && output ? 'Inputs and output differ' : inputs ? 'Inputs differ' : 'Output differs'
  return (
    <span className={styles.badge} title={title}>
      <span aria-hidden="true">{words} ≠</span>
      <span className="visually-hidden">, {title}</span>
    </span>
  )
}

const STATUS_SYMBOLS: Readonly<Record<AlignmentStatus, string>> = {
  same: '',
  moved: '↷',
  added: '+',
  removed: '−',
  absent: '',
}

const STATUS_LABELS: Readonly<Record<AlignmentStatus, string>> = {
  same: '',
  moved: 'moved',
  added: 'added',
  removed: 'removed',
  absent: 'missing',
}

function CallCell(props: {
  readonly call: ComparedCall | undefined
  readonly base: ComparedCall | undefined
  readonly status: AlignmentStatus
}) {
  const { call, base, status } = props
  const latency = call?.item.latencyMs
  const difference = call === base ? undefined : formatDifference(base?.item.latencyMs, latency, 'duration')
  const title = [STATUS_LABELS[status], difference?.text].filter((word) => word).join(', ')
  return (
    <span
      className={styles.cell}
      data-status={status}
      data-tone={difference?.tone}
      title={title === '' ? undefined : title}
    >
      {STATUS_SYMBOLS[status] !== '' && (
        <span className={styles.symbol} aria-hidden="true">
          {STATUS_SYMBOLS[status]}
        </span>
      )}
      {STATUS_LABELS[status] !== '' && <span className="visually-hidden">{STATUS_LABELS[status]} </span>}
      {call === undefined ? (
        status === 'absent' || status === 'same' ? (
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
