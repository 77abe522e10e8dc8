import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import { KindIcon } from '../call/kind-icon.tsx'
import { exceptionLine } from '../call/exception.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { useMarkdownMode } from '../markdown/markdown-mode.ts'
import { plainMarkdown } from '../markdown/plain-markdown.ts'
import { formatDuration } from '../time/format.ts'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import type { TraceRow } from './trace-rows.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'
import styles from './transcript.module.css'
import { useRowDetails } from './use-row-details.ts'

const CARD_HEIGHT = 104

interface Props {
  readonly project: Project
  readonly store: TraceStore
  readonly version: number
  readonly rows: readonly TraceRow[]
  readonly selected: string
  readonly matched: ReadonlySet<string> | undefined
  readonly onSelect: (id: string) => void
}

/** The trace as a transcript: input and output of each step, in order of time. */
export function Transcript({ project, store, rows, selected, matched, onSelect }: Props) {
  const virtual = useVirtualRows({
    rows,
    rowHeight: CARD_HEIGHT,
    overscan: 6,
    selected,
    isSelectionPinned: false,
  })
  const details = useRowDetails(
    project,
    store,
    virtual.visible.map(({ row }) => row.id),
  )
  return (
    <div
      ref={virtual.scroller}
      className={styles.scroller}
      role="region"
      aria-label="Transcript"
      tabIndex={0}
    >
      <ol className={styles.body} style={{ height: virtual.heightPx }}>
        {virtual.visible.map(({ row: { id, node, depth }, startPx }) => (
          <li key={id} className={styles.item} style={{ transform: `translateY(${startPx}px)` }}>
            <Step
              node={node}
              depth={depth}
              details={details.get(id)}
              isSelected={id === selected}
              isDimmed={matched !== undefined && !matched.has(id)}
              onSelect={() => onSelect(id)}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface StepProps {
  readonly node: TraceNode
  readonly depth: number
  readonly details: CallListItem | undefined
  readonly isSelected: boolean
  readonly isDimmed: boolean
  readonly onSelect: () => void
}

function Step({ node, depth, details, isSelected, isDimmed, onSelect }: StepProps) {
  const { call } = node
  const { isRendered } = useMarkdownMode()
  const format = isRendered ? plainMarkdown : undefined
  const isRunning = call.endMs === undefined && details?.isStale !== true
  return (
    <button
      type="button"
      className={styles.card}
      style={{ marginLeft: Math.min(depth, 6) * 14 }}
      aria-current={isSelected}
      data-dimmed={isDimmed || undefined}
      onClick={onSelect}
    >
      <span className="row gap-8">
        <KindIcon kind={node.kind} isError={call.hasError} isRunning={isRunning} />
        <span className={`${styles.name} isolate`}>{call.name}</span>
        <span className={styles.time}>
          {call.endMs === undefined ? 'running' : formatDuration(call.endMs - call.startMs)}
        </span>
      </span>
      <span className={styles.input}>
        <PreviewLine json={details?.inputText ?? ''} {...(format && { format })} />
      </span>
      {call.hasError ? (
        <span className={styles.error}>
          {details?.exception === null || details === undefined ? 'Error' : exceptionLine(details.exception)}
        </span>
      ) : (
        <span className={styles.output}>
          <PreviewLine json={details?.outputText ?? ''} {...(format && { format })} />
        </span>
      )}
    </button>
  )
}
