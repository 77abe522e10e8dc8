import { type ReactNode, useEffect, useState } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { kindColor } from '../call/call-kind.ts'
import { KindIcon } from '../call/kind-icon.tsx'
import { exactCost, formatCompact, formatKnownCost } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Tree } from '../ui/tree.tsx'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import { formatDuration } from '../time/format.ts'
import { type Heat, heatLevel } from './heat.ts'
import { formatHeat } from './heat-legend.tsx'
import { MIN_SPAN_MS } from './time-window.ts'
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

/** The call tree of a trace. */
export function TraceTree({ project, store, rows, selected, matched, heat, onSelect, onToggle }: Props) {
  // New rows must not move what the user reads. But until all calls are loaded or the user interacts, the call that the
  // page was opened for stays in view.
  const [isSelectionPinned, setSelectionPinned] = useState(true)
  const virtual = useVirtualRows({ rows, rowHeight: ROW_HEIGHT, overscan: 16, selected, isSelectionPinned })
  useEffect(() => {
    if (store.isComplete) setSelectionPinned(false)
  }, [store.isComplete])
  const details = useRowDetails(
    project,
    store,
    virtual.visible.map(({ row }) => row.id),
  )
  return (
    <Tree
      label="Trace"
      regionLabel="Calls in this trace"
      rows={rows}
      virtual={virtual}
      selected={selected}
      rowClassName={styles.row}
      maxIndentDepth={24}
      isDimmed={({ id }) => matched !== undefined && !matched.has(id)}
      onSelect={onSelect}
      onToggle={onToggle}
      onInteraction={() => setSelectionPinned(false)}
    >
      {(row, handle, childCount) => (
        <Row
          store={store}
          node={row.node}
          details={details.get(row.id)}
          heat={heat}
          handle={handle}
          childCount={childCount}
        />
      )}
    </Tree>
  )
}

interface RowProps {
  readonly store: TraceStore
  readonly node: TraceNode
  readonly details: CallListItem | undefined
  readonly heat: Heat | undefined
  readonly handle: ReactNode
  readonly childCount: ReactNode
}

function Row({ store, node, details, heat, handle, childCount }: RowProps) {
  const { call } = node
  const isOrphan = store.isComplete && node.parent === undefined && call.parent_id !== null
  return (
    <>
      {handle}
      <KindIcon
        kind={node.kind}
        isError={call.hasError}
        isRunning={call.endMs === undefined && details?.isStale !== true}
      />
      <span className={`${styles.name} isolate`} data-error={call.hasError || undefined}>
        {call.name}
      </span>
      {isOrphan && (
        <span className="badge" title="The parent call was not received">
          parent missing
        </span>
      )}
      {node.hasDescendantError && !call.hasError && (
        <span className="row warn" title="A descendant call has an error">
          <Icon name="warning" size={12} />
        </span>
      )}
      {childCount}
      <span className={styles.details}>
        <Amounts node={node} details={details} heat={heat} />
        <Duration node={node} isStale={details?.isStale === true} />
      </span>
      <Waterfall
        node={node}
        level={heat === undefined ? undefined : heatLevel(heat, call.id)}
        traceStart={store.startMs}
        span={Math.max(MIN_SPAN_MS, store.endMs - store.startMs)}
      />
    </>
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
  const text = details && formatKnownCost(details.cost, details.unpriced.length > 0)
  const cost =
    text === undefined ? null : (
      <span title={details?.cost === undefined ? undefined : exactCost(details.cost)}>{text}</span>
    )
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
      {selfValue > 0 && <span className="soft">self {formatHeat(heat.kind, selfValue)}</span>}
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
  const { level } = props
  const { call, kind } = props.node
  const isRunning = call.endMs === undefined
  const color = isRunning ? undefined : call.hasError ? 'var(--bar-bad)' : kindColor(kind)
  const left = ((call.startMs - props.traceStart) / props.span) * 100
  const width = (((call.endMs ?? props.traceStart + props.span) - call.startMs) / props.span) * 100
  return (
    <span className={styles.track} aria-hidden="true">
      <span
        className={styles.bar}
        data-running={isRunning || undefined}
        style={{
          left: `${Math.min(99, left)}%`,
          width: `${Math.max(1, Math.min(100 - left, width))}%`,
          background: level === undefined ? color : `var(--heat-${level})`,
        }}
      />
    </span>
  )
}
