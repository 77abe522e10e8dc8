import { useEffect, useRef } from 'react'
import { exactCost, formatBytes, formatCount, formatKnownCost } from '../ui/format.ts'
import type { Project } from '../api/project.ts'
import { JsonView } from '../json/json-view.tsx'
import type { CallPayloads } from './payloads/payload-client.ts'
import { type FeedbackPanelHandle, FeedbackPanel } from '../annotation/feedback-panel.tsx'
import { ReviewView } from '../annotation/review-view.tsx'
import { useMarkdownMode } from '../markdown/markdown-mode.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { TabView } from '../ui/tab-view.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { type CallKind, kindFromName } from './call-kind.ts'
import { type ApiCall, type CallListItem, toCallListItem } from './call-list-item.ts'
import styles from './call-detail.module.css'
import { CopyMenu } from './copy-menu.tsx'
import { CallOverview } from './call-overview.tsx'
import { CostView } from './cost-view.tsx'
import { Elapsed } from './elapsed.tsx'
import { ExplainView } from './explain-view.tsx'
import { KindIcon } from './kind-icon.tsx'
import { shortOpName } from './op-name.ts'
import { PayloadSection } from './payload-section.tsx'
import { StatusIcon } from './status-icon.tsx'
import { STATUS_LABELS } from './status.ts'
import { useCall } from './use-call.ts'

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'feedback', label: 'Feedback' },
  { value: 'cost', label: 'Cost' },
  { value: 'raw', label: 'Attributes' },
  // For calls that were made from a span.
  { value: 'explain', label: 'Explain' },
] as const

type Tab = (typeof TABS)[number]['value']

interface Props {
  readonly project: Project
  readonly callId: string
  /** End time known to the trace. A call that was loaded while it ran is loaded again when it has ended. */
  readonly endMs: number | undefined
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
  /** The review queue that contains the call. */
  readonly queue?: { readonly id: string; readonly scores: readonly string[] }
}

/** Details of one call: header, overview with the exception first, feedback, cost, attributes and mapping. */
export function CallDetail({ project, callId, endMs, tab, onTab, queue }: Props) {
  const call = useCall(project, callId, endMs)
  const feedbackPanel = useRef<FeedbackPanelHandle>(null)
  const tabs = TABS.filter(({ value }) => value !== 'explain' || call.data?.hasSpan === true)
  const current: Tab = tabs.find(({ value }) => value === tab)?.value ?? 'overview'
  const markdown = useMarkdownMode()
  const pendingFocus = useRef<'note' | 'scores'>(undefined)
  const openFeedback = (target: 'note' | 'scores'): void => {
    pendingFocus.current = target
    if (current === 'feedback') applyPendingFocus()
    else onTab('feedback')
  }
  const applyPendingFocus = (): void => {
    if (pendingFocus.current === 'note') feedbackPanel.current?.focusNote()
    else if (pendingFocus.current === 'scores') feedbackPanel.current?.focusScores()
    pendingFocus.current = undefined
  }
  useEffect(() => {
    if (current === 'feedback') applyPendingFocus()
  }, [current, call.data !== undefined])
  useShortcuts('Call', [
    { keys: 'e', label: 'Score the call', run: () => openFeedback('scores') },
    { keys: 'n', label: 'Write a note', run: () => openFeedback('note') },
    { keys: 'm', label: 'Toggle rendered text and JSON', run: markdown.toggle },
  ])
  if (call.isError) return <ErrorNotice error={call.error} retry={() => void call.refetch()} />
  if (call.data === undefined) return <Loading />
  const payloads = call.data
  const item = listItemFromPayloads(payloads)
  return (
    <article className="column" aria-label={`Call ${item.name}`}>
      <CallHeader project={project} item={item} kind={payloads.kind ?? kindFromName(item.name)} />
      <TabView
        label="Call details"
        tabs={tabs}
        value={current}
        onChange={(value) => onTab(value === 'overview' ? undefined : value)}
        panelClassName={styles.body}
        isPanelFocusable
      >
        {current === 'overview' && <CallOverview project={project} item={item} payloads={payloads} />}
        {current === 'feedback' && (
          <ReviewView
            panel={
              <FeedbackPanel
                ref={feedbackPanel}
                project={project}
                callId={callId}
                op={shortOpName(item.op_name)}
                queue={queue}
              />
            }
          >
            <CallOverview project={project} item={item} payloads={payloads} isReview />
          </ReviewView>
        )}
        {current === 'cost' && <CostView project={project} callId={callId} />}
        {current === 'raw' && <Attributes payloads={payloads} />}
        {current === 'explain' && (
          <ExplainView project={project} callId={callId} span={payloads.documents.span} />
        )}
      </TabView>
    </article>
  )
}

/** The list fields of a loaded call. Only the summary document is read, which is small. */
function listItemFromPayloads({ rest, documents }: CallPayloads): CallListItem {
  const root = documents.summary.root()
  const text = root instanceof Promise ? 'null' : documents.summary.slice(root.at, root.end)
  const summary = typeof text === 'string' && text !== 'null' ? { text } : null
  return toCallListItem({ ...rest, summary } as unknown as ApiCall)
}

function CallHeader(props: {
  readonly project: Project
  readonly item: CallListItem
  readonly kind: CallKind
}) {
  const { project, item } = props
  const tokens = item.tokens
  const cost = formatKnownCost(item.cost, item.unpriced.length > 0)
  return (
    <header className={styles.head}>
      <div className="row gap-8">
        <StatusIcon status={item.status} isStale={item.isStale} />
        <KindIcon kind={props.kind} isError={false} isRunning={false} />
        <h2 className={`${styles.name} isolate`}>{item.name}</h2>
        <CopyMenu project={project} callId={item.id} />
      </div>
      <dl className={styles.facts}>
        <Fact name="Status">{item.isStale ? 'no end received' : STATUS_LABELS[item.status]}</Fact>
        <Fact name="Started">
          <time title={item.started_at}>{formatTime(item.started_at)}</time>
        </Fact>
        <Fact name="Latency">
          {item.latencyMs === undefined ? (
            item.isStale ? (
              '–'
            ) : (
              <Elapsed since={item.started_at} />
            )
          ) : (
            formatDuration(item.latencyMs)
          )}
        </Fact>
        {tokens !== undefined && (
          <Fact name="Tokens">
            <span
              title={tokens.cacheRead > 0 ? `${formatCount(tokens.cacheRead)} read from cache` : undefined}
            >
              {formatCount(tokens.input)} → {formatCount(tokens.output)}
            </span>
          </Fact>
        )}
        {cost !== undefined && (
          <Fact name="Cost">
            <span title={item.cost === undefined ? undefined : exactCost(item.cost)}>{cost}</span>
          </Fact>
        )}
        {item.models.length > 0 && (
          <Fact name="Model">
            <span className="isolate">{visibleText(item.models.join(', '))}</span>
          </Fact>
        )}
        {item.sentBy !== null && (
          <Fact name="Sent by">
            <span className="isolate">{visibleText(item.sentBy)}</span>
          </Fact>
        )}
        {item.thread_id !== null && (
          <Fact name="Thread">
            <span className="isolate">{visibleText(item.thread_id)}</span>
          </Fact>
        )}
      </dl>
    </header>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Attributes({ payloads }: { readonly payloads: CallPayloads }) {
  const { attributes, summary } = payloads.documents
  return (
    <>
      <PayloadSection title="Attributes" about={formatBytes(attributes.size)}>
        <JsonView source={attributes} name="attributes" />
      </PayloadSection>
      <PayloadSection title="Summary" about={formatBytes(summary.size)}>
        <JsonView source={summary} name="summary" />
      </PayloadSection>
      <PayloadSection title="IDs">
        <dl className={styles.ids}>
          {Object.entries(payloads.rest)
            .filter(([key, value]) => value !== null && key !== 'exception')
            .map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd className="isolate">
                  {visibleText(typeof value === 'string' ? value : JSON.stringify(value))}
                </dd>
              </div>
            ))}
        </dl>
      </PayloadSection>
    </>
  )
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading call">
      <span />
      <span />
      <span />
    </div>
  )
}
