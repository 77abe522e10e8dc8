import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import type { Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import { KindIcon } from '../call/kind-icon.tsx'
import { exceptionLine } from '../call/exception-line.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { formatDuration } from '../time/format.ts'
import type { TraceRow } from './trace-rows.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'
import styles from './transcript.module.css'
import { useRowFacts } from './use-row-facts.ts'

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

/** The trace as a story: what was asked, what each step made of it, in the order of time. */
export function Transcript({ project, store, rows, selected, matched, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const steps = useMemo(() => rows.map(({ node, depth }) => ({ node, depth })), [rows])
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: 6,
  })
  const shown = virtual.getVirtualItems()
  const visible = useMemo(
    () => shown.flatMap(({ index }) => steps[index]?.node.call.id ?? []),
    [shown[0]?.index, shown.at(-1)?.index, steps],
  )
  const facts = useRowFacts(project, store, visible)
  const selectedAt = steps.findIndex(({ node }) => node.call.id === selected)
  const wasAt = useRef<string>(undefined)
  useEffect(() => {
    if (selectedAt === -1 || wasAt.current === selected) return
    wasAt.current = selected
    virtual.scrollToIndex(selectedAt, { align: 'auto' })
  }, [selectedAt, selected])
  return (
    <div ref={scroller} className={styles.scroller} role="region" aria-label="Transcript" tabIndex={0}>
      <ol className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const step = steps[index]
          if (step === undefined) return null
          const { id } = step.node.call
          return (
            <li key={id} className={styles.item} style={{ transform: `translateY(${start}px)` }}>
              <Step
                node={step.node}
                depth={step.depth}
                facts={facts.get(id)}
                isSelected={id === selected}
                isFaint={matched !== undefined && !matched.has(id)}
                onSelect={() => onSelect(id)}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

interface StepProps {
  readonly node: TraceNode
  readonly depth: number
  readonly facts: CallFacts | undefined
  readonly isSelected: boolean
  readonly isFaint: boolean
  readonly onSelect: () => void
}

function Step({ node, depth, facts, isSelected, isFaint, onSelect }: StepProps) {
  const { call } = node
  const isRunning = call.endMs === undefined && facts?.isStale !== true
  return (
    <button
      type="button"
      className={styles.card}
      style={{ marginLeft: Math.min(depth, 6) * 14 }}
      aria-current={isSelected}
      data-faint={isFaint || undefined}
      onClick={onSelect}
    >
      <span className={styles.head}>
        <KindIcon kind={node.kind} isFailed={call.hasError} isRunning={isRunning} />
        <span className={`${styles.name} foreign`}>{call.name}</span>
        <span className={styles.time}>
          {call.endMs === undefined ? 'running' : formatDuration(call.endMs - call.startMs)}
        </span>
      </span>
      <span className={styles.input}>
        <PreviewLine json={facts?.inputText ?? ''} />
      </span>
      {call.hasError ? (
        <span className={styles.failed}>
          {facts?.exception === null || facts === undefined ? 'failed' : exceptionLine(facts.exception)}
        </span>
      ) : (
        <span className={styles.output}>
          <PreviewLine json={facts?.outputText ?? ''} />
        </span>
      )}
    </button>
  )
}
