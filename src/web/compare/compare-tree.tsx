import type { CSSProperties } from 'react'
import { KindIcon } from '../call/kind-icon.tsx'
import { Tree } from '../ui/tree.tsx'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import { formatDuration } from '../time/format.ts'
import { type AlignmentStatus, alignmentStatus } from './tree-alignment.ts'
import { columnLetter } from './compared-ids.ts'
import type { CompareRow } from './compare-rows.ts'
import styles from './compare-tree.module.css'
import { type ComparedCall, payloadDifferences } from './compared-call.ts'
import { formatDifference } from './difference.ts'

const ROW_HEIGHT = 30

interface Props {
  readonly rows: readonly CompareRow[]
  /** Number of compared calls. */
  readonly count: number
  readonly includesVolatile: boolean
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** The merged call tree, with the status and latency of each trace at every node. */
export function CompareTree({ rows, count, includesVolatile, selected, onSelect, onToggle }: Props) {
  const virtual = useVirtualRows({
    rows,
    rowHeight: ROW_HEIGHT,
    overscan: 16,
    selected,
    isSelectionPinned: true,
  })
  const columns = Array.from({ length: count }, (_, n) => n)
  return (
    <div className="column" style={{ '--count': count } as CSSProperties}>
      <div className={styles.head} aria-hidden="true">
        <span>Calls by op</span>
        {columns.map((n) => (
          <span key={n} className={styles.cell}>
            {columnLetter(n)}
          </span>
        ))}
      </div>
      <Tree
        label="Aligned calls"
        regionLabel="Call tree"
        rows={rows}
        virtual={virtual}
        selected={selected}
        rowClassName={styles.row}
        maxIndentDepth={16}
        onSelect={onSelect}
        onToggle={onToggle}
      >
        {({ node, isDifferent }, handle, childCount) => (
          <>
            <span className={styles.first}>
              {handle}
              <NodeName node={node} isDifferent={isDifferent} />
              {childCount}
              <PayloadBadge calls={node.calls} count={count} includesVolatile={includesVolatile} />
            </span>
            {columns.map((n) => (
              <CallCell
                key={n}
                call={node.calls[n]}
                base={node.calls[0]}
                status={n === 0 ? 'same' : alignmentStatus(node, n)}
              />
            ))}
          </>
        )}
      </Tree>
    </div>
  )
}

function NodeName({ node, isDifferent }: Pick<CompareRow, 'node' | 'isDifferent'>) {
  const call = node.calls.find((each) => each !== undefined)
  if (call === undefined) return null
  return (
    <>
      <KindIcon
        kind={call.kind}
        isError={node.calls.some((each) => each !== undefined && each.item.exception !== null)}
        isRunning={false}
      />
      <span className={`${styles.name} isolate`} data-different={isDifferent || undefined}>
        {call.item.name}
      </span>
    </>
  )
}

/** Badge that says whether inputs or output of any call differ from the baseline. */
function PayloadBadge(props: {
  readonly calls: readonly (ComparedCall | undefined)[]
  readonly count: number
  readonly includesVolatile: boolean
}) {
  const [base] = props.calls
  if (base === undefined) return null
  let inputs = false
  let output = false
  for (let n = 1; n < props.count; n++) {
    const call = props.calls[n]
    if (call === undefined) continue
    const found = payloadDifferences(base, call, props.includesVolatile)
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
