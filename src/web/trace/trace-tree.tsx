import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useMemo, useRef } from 'react'
import type { Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { KindIcon } from '../call/kind-icon.tsx'
import { formatCompact, formatCost } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { formatDuration } from '../time/format.ts'
import { type Heat, heatLevel } from './heat.ts'
import { formatHeat } from './heat-legend.tsx'
import type { TraceRow } from './trace-rows.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'
import styles from './trace-tree.module.css'
import { useRowFacts } from './use-row-facts.ts'

const ROW_HEIGHT = 28

interface Props {
  readonly project: Project
  readonly store: TraceStore
  readonly version: number
  readonly rows: readonly TraceRow[]
  readonly selected: string
  /** Calls in which a text was found; undefined while nothing is searched for. */
  readonly matched: ReadonlySet<string> | undefined
  readonly heat: Heat | undefined
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** Who called whom. Only the rows that can be seen are drawn. */
export function TraceTree({ project, store, rows, selected, matched, heat, onSelect, onToggle }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
  })
  const shown = virtual.getVirtualItems()
  const visible = useMemo(
    () => shown.flatMap(({ index }) => rows[index]?.node.call.id ?? []),
    [shown[0]?.index, shown.at(-1)?.index, rows],
  )
  const facts = useRowFacts(project, store, visible)
  const selectedAt = useMemo(() => rows.findIndex(({ node }) => node.call.id === selected), [rows, selected])
  const wasAt = useRef<string>(undefined)
  /** Nothing moves by itself any more: all calls are there, or somebody has scrolled. */
  const isSettled = useRef(false)
  const touch = (): void => {
    isSettled.current = true
  }
  useEffect(() => {
    // Rows that arrive must not move what somebody reads; but until anybody has touched it, the call that the page was
    // opened for stays in view.
    if (selectedAt === -1 || (wasAt.current === selected && isSettled.current)) return
    wasAt.current = selected
    isSettled.current ||= store.isWhole
    virtual.scrollToIndex(selectedAt, { align: 'auto' })
  }, [selectedAt, selected, store.isWhole])
  const span = Math.max(1, store.endMs - store.startMs)
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label="Calls of the trace"
      tabIndex={0}
      onWheel={touch}
      onPointerDown={touch}
    >
      <div role="tree" aria-label="Trace" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const { id } = row.node.call
          return (
            <TreeRow
              key={id}
              row={row}
              facts={facts.get(id)}
              heat={heat}
              start={start}
              traceStart={store.startMs}
              span={span}
              isSelected={id === selected}
              isFaint={matched !== undefined && !matched.has(id)}
              isLost={store.isWhole && row.node.parent === undefined && row.node.call.parent_id !== null}
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
  readonly facts: CallFacts | undefined
  readonly heat: Heat | undefined
  readonly start: number
  readonly traceStart: number
  readonly span: number
  readonly isSelected: boolean
  readonly isFaint: boolean
  /** Its parent never arrived. */
  readonly isLost: boolean
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** Deeper calls are drawn at the same place: a tree of 200 levels would have no room for names. */
const DEEPEST = 24

function TreeRow({
  row,
  facts,
  heat,
  start,
  traceStart,
  span,
  isSelected,
  isFaint,
  isLost,
  onSelect,
  onToggle,
}: RowProps) {
  const { node, depth, isCollapsed } = row
  const { call } = node
  const style = {
    transform: `translateY(${start}px)`,
    '--depth': Math.min(depth, DEEPEST),
  } as CSSProperties
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(node.children.length > 0 ? { 'aria-expanded': !isCollapsed } : {})}
      className={styles.row}
      data-faint={isFaint || undefined}
      style={style}
      onClick={() => onSelect(call.id)}
    >
      <span className={styles.lines} aria-hidden="true" />
      {node.children.length > 0 ? (
        <button
          type="button"
          className={styles.fold}
          tabIndex={-1}
          aria-label={isCollapsed ? `Unfold ${call.name}` : `Fold ${call.name}`}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(call.id)
          }}
        >
          <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
        </button>
      ) : (
        <span className={styles.fold} />
      )}
      <KindIcon
        kind={node.kind}
        isFailed={call.hasError}
        isRunning={call.endMs === undefined && facts?.isStale !== true}
      />
      <span className={`${styles.name} foreign`} data-bad={call.hasError || undefined}>
        {call.name}
      </span>
      {isLost && (
        <span className={styles.lost} title="The call that made this one was never received">
          parent missing
        </span>
      )}
      {node.hasErrorBelow && !call.hasError && (
        <span className={styles.below} title="A call within it failed">
          <Icon name="warning" size={12} />
        </span>
      )}
      {isCollapsed && node.children.length > 0 && (
        <span className={styles.count}>{node.children.length}</span>
      )}
      <span className={styles.facts}>
        <Amounts node={node} facts={facts} heat={heat} />
        <Duration node={node} isStale={facts?.isStale === true} />
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
  readonly facts: CallFacts | undefined
  readonly heat: Heat | undefined
}

/** Tokens and cost; or, while colours tell heat, the number that the colour stands for and what it is a part of. */
function Amounts({ node, facts, heat }: AmountsProps) {
  const cost = facts?.cost === undefined ? null : <span>{formatCost(facts.cost)}</span>
  if (heat === undefined)
    return (
      <>
        {facts?.tokens !== undefined && <span>{formatCompact(facts.tokens.total)} tok</span>}
        {cost}
      </>
    )
  const own = heat.own.get(node.call.id) ?? 0
  return (
    <>
      {own > 0 && <span className={styles.own}>own {formatHeat(heat.kind, own)}</span>}
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
        data-kind={kind}
        data-level={props.level}
        data-bad={call.hasError || undefined}
        data-running={call.endMs === undefined || undefined}
        style={{ left: `${Math.min(99, left)}%`, width: `${Math.max(1, Math.min(100 - left, width))}%` }}
      />
    </span>
  )
}
