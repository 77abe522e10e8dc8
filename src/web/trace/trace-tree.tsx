import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useMemo, useRef } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { KIND_COLORS } from '../call/call-kind.ts'
import { KindIcon } from '../call/kind-icon.tsx'
import { formatCompact, formatCost } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { formatDuration } from '../time/format.ts'
import { type Heat, heatLevel } from './heat.ts'
import { formatHeat } from './heat-legend.tsx'
import type { TraceRow } from './trace-rows.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'
import styles from './trace-tree.module.css'
import { useRowDetails } from './use-row-details.ts'

const ROW_HEIGHT = 28

interface Props {
  readonly project: Project
  readonly store: TraceStore
  readonly version: number
  readonly rows: readonly TraceRow[]
  readonly selected: string
  /** Calls that match the search text; `undefined` without a search. */
  readonly matched: ReadonlySet<string> | undefined
  readonly heat: Heat | undefined
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** The virtualized call tree of a trace. */
export function TraceTree({ project, store, rows, selected, matched, heat, onSelect, onToggle }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
  })
  const virtualRows = virtual.getVirtualItems()
  const visible = useMemo(
    () => virtualRows.flatMap(({ index }) => rows[index]?.node.call.id ?? []),
    [virtualRows[0]?.index, virtualRows.at(-1)?.index, rows],
  )
  const details = useRowDetails(project, store, visible)
  const selectedAt = useMemo(() => rows.findIndex(({ node }) => node.call.id === selected), [rows, selected])
  const lastScrolledTo = useRef<string>(undefined)
  /** Automatic scrolling stops when all calls are loaded or the user has scrolled. */
  const isAutoScrollDone = useRef(false)
  const stopAutoScroll = (): void => {
    isAutoScrollDone.current = true
  }
  useEffect(() => {
    // New rows must not move what the user reads. But until the user interacts, the call that the page was opened for
    // stays in view.
    if (selectedAt === -1 || (lastScrolledTo.current === selected && isAutoScrollDone.current)) return
    lastScrolledTo.current = selected
    isAutoScrollDone.current ||= store.isComplete
    virtual.scrollToIndex(selectedAt, { align: 'auto' })
  }, [selectedAt, selected, store.isComplete])
  const span = Math.max(1, store.endMs - store.startMs)
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label="Calls in this trace"
      tabIndex={0}
      onWheel={stopAutoScroll}
      onPointerDown={stopAutoScroll}
    >
      <div role="tree" aria-label="Trace" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {virtualRows.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const { id } = row.node.call
          return (
            <TreeRow
              key={id}
              row={row}
              details={details.get(id)}
              heat={heat}
              start={start}
              traceStart={store.startMs}
              span={span}
              isSelected={id === selected}
              isDimmed={matched !== undefined && !matched.has(id)}
              isOrphan={store.isComplete && row.node.parent === undefined && row.node.call.parent_id !== null}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  readonly row: TraceRow
  readonly details: CallListItem | undefined
  readonly heat: Heat | undefined
  readonly start: number
  readonly traceStart: number
  readonly span: number
  readonly isSelected: boolean
  readonly isDimmed: boolean
  /** The parent call is missing. */
  readonly isOrphan: boolean
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** Deeper calls are not indented further, so that names stay readable in a tree of 200 levels. */
const MAX_INDENT_DEPTH = 24

function TreeRow({
  row,
  details,
  heat,
  start,
  traceStart,
  span,
  isSelected,
  isDimmed,
  isOrphan,
  onSelect,
  onToggle,
}: RowProps) {
  const { node, depth, isCollapsed } = row
  const { call } = node
  const style = {
    transform: `translateY(${start}px)`,
    '--depth': Math.min(depth, MAX_INDENT_DEPTH),
  } as CSSProperties
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(node.children.length > 0 ? { 'aria-expanded': !isCollapsed } : {})}
      className={styles.row}
      data-dimmed={isDimmed || undefined}
      style={style}
      onClick={() => onSelect(call.id)}
    >
      <span className={styles.lines} aria-hidden="true" />
      {node.children.length > 0 ? (
        <button
          type="button"
          className={styles.toggle}
          tabIndex={-1}
          aria-label={isCollapsed ? `Expand ${call.name}` : `Collapse ${call.name}`}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(call.id)
          }}
        >
          <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
        </button>
      ) : (
        <span className={styles.toggle} />
      )}
      <KindIcon
        kind={node.kind}
        isError={call.hasError}
        isRunning={call.endMs === undefined && details?.isStale !== true}
      />
      <span className={`${styles.name} isolate`} data-error={call.hasError || undefined}>
        {call.name}
      </span>
      {isOrphan && (
        <span className={styles.orphan} title="The parent call was not received">
          parent missing
        </span>
      )}
      {node.hasDescendantError && !call.hasError && (
        <span className={styles.descendantError} title="A descendant call has an error">
          <Icon name="warning" size={12} />
        </span>
      )}
      {isCollapsed && node.children.length > 0 && (
        <span className={styles.count}>{node.children.length}</span>
      )}
      <span className={styles.details}>
        <Amounts node={node} details={details} heat={heat} />
        <Duration node={node} isStale={details?.isStale === true} />
      </span>
      <Waterfall
        node={node}
        level={heat === undefined ? undefined : heatLevel(heat, call.id)}
        traceStart={traceStart}
        span={span}
      />
    </div>
  )
}

function Duration({ node, isStale }: { readonly node: TraceNode; readonly isStale: boolean }) {
  const { startMs, endMs } = node.call
  if (endMs !== undefined) return <span className={styles.duration}>{formatDuration(endMs - startMs)}</span>
  if (isStale) return <span className={styles.duration}>no end</span>
  return (
    <span className={styles.running}>
      <Elapsed since={new Date(startMs).toISOString()} />
    </span>
  )
}

interface AmountsProps {
  readonly node: TraceNode
  readonly details: CallListItem | undefined
  readonly heat: Heat | undefined
}

/** Tokens and cost. With heat colors: the self value, and the total cost of calls with children. */
function Amounts({ node, details, heat }: AmountsProps) {
  const cost = details?.cost === undefined ? null : <span>{formatCost(details.cost)}</span>
  if (heat === undefined)
    return (
      <>
        {details?.tokens !== undefined && <span>{formatCompact(details.tokens.total)} tok</span>}
        {cost}
      </>
    )
  const selfValue = heat.selfValues.get(node.call.id) ?? 0
  return (
    <>
      {selfValue > 0 && <span className={styles.selfValue}>self {formatHeat(heat.kind, selfValue)}</span>}
      {heat.kind === 'cost' && node.children.length > 0 && cost}
    </>
  )
}

function Waterfall(props: {
  readonly node: TraceNode
  readonly level: number | undefined
  readonly traceStart: number
  readonly span: number
}) {
  const { call, kind } = props.node
  const left = ((call.startMs - props.traceStart) / props.span) * 100
  const width = (((call.endMs ?? props.traceStart + props.span) - call.startMs) / props.span) * 100
  return (
    <span className={styles.track} aria-hidden="true">
      <span
        className={styles.bar}
        data-color={KIND_COLORS[kind]}
        data-level={props.level}
        data-error={call.hasError || undefined}
        data-running={call.endMs === undefined || undefined}
        style={{ left: `${Math.min(99, left)}%`, width: `${Math.max(1, Math.min(100 - left, width))}%` }}
      />
    </span>
  )
}
