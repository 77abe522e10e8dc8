import { useEffect, useRef } from 'react'
import { formatBytes, formatCost, formatCount } from '../ui/format.ts'
import type { Project } from '../api/project.ts'
import { JsonView } from '../json/json-view.tsx'
import type { CallPayloads } from '../json/payload-client.ts'
import { type JudgingHandle, JudgingPanel } from '../annotation/feedback-panel.tsx'
import { JudgingView } from '../annotation/review-view.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { TabList } from '../ui/tab-list.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatDuration, formatTime } from '../time/format.ts'
import { type AnsweredCall, type CallFacts, factsOf } from './call-facts.ts'
import styles from './call-detail.module.css'
import { CopyMenu } from './copy-menu.tsx'
import { CostView } from './cost-view.tsx'
import { Elapsed } from './elapsed.tsx'
import { exceptionLine } from './exception-line.ts'
import { shortOpName } from './op-name.ts'
import { PayloadSection } from './payload-section.tsx'
import { ConversationView } from './conversation-view.tsx'
import { StatusMark } from './status-mark.tsx'
import { STATUS_WORDS } from './status.ts'
import { useCall } from './use-call.ts'

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'feedback', label: 'Feedback' },
  { value: 'cost', label: 'Cost' },
  { value: 'raw', label: 'Attributes' },
] as const

type Tab = (typeof TABS)[number]['value']

interface Props {
  readonly project: Project
  readonly callId: string
  /** As the trace knows it: a running call is read again when this changes. */
  readonly endMs: number | undefined
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
  /** The review queue in which it is judged. */
  readonly queue?: { readonly id: string; readonly scores: readonly string[] }
}

/** Everything about one call. What went wrong stands first. */
export function CallDetail({ project, callId, endMs, tab, onTab, queue }: Props) {
  const call = useCall(project, callId, endMs)
  const judging = useRef<JudgingHandle>(null)
  const current: Tab = TABS.find(({ value }) => value === tab)?.value ?? 'overview'
  const wantsFocus = useRef<'note' | 'scores'>(undefined)
  const say = (what: 'note' | 'scores'): void => {
    wantsFocus.current = what
    if (current === 'feedback') focusWanted()
    else onTab('feedback')
  }
  const focusWanted = (): void => {
    if (wantsFocus.current === 'note') judging.current?.focusNote()
    else if (wantsFocus.current === 'scores') judging.current?.focusScores()
    wantsFocus.current = undefined
  }
  useEffect(() => {
    if (current === 'feedback') focusWanted()
  }, [current, call.data !== undefined])
  useShortcuts('Call', [
    { keys: 'e', label: 'Judge the call', run: () => say('scores') },
    { keys: 'n', label: 'Write a note', run: () => say('note') },
  ])
  if (call.isError) return <Failure error={call.error} retry={() => void call.refetch()} />
  if (call.data === undefined) return <Waiting />
  const payloads = call.data
  const facts = factsFrom(payloads)
  return (
    <article className={styles.detail} aria-label={`Call ${facts.name}`}>
      <CallHead project={project} facts={facts} />
      <TabList
        label="About this call"
        tabs={TABS}
        value={current}
        onChange={(value) => onTab(value === 'overview' ? undefined : value)}
      />
      <div className={styles.body} id="call-panel" role="tabpanel" aria-label={current} tabIndex={0}>
        {current === 'overview' && <Overview facts={facts} payloads={payloads} />}
        {current === 'feedback' && (
          <JudgingView
            panel={
              <JudgingPanel
                ref={judging}
                project={project}
                callId={callId}
                op={shortOpName(facts.op_name)}
                queue={queue}
              />
            }
          >
            <Overview facts={facts} payloads={payloads} />
          </JudgingView>
        )}
        {current === 'cost' && <CostView project={project} callId={callId} />}
        {current === 'raw' && <Raw payloads={payloads} />}
      </div>
    </article>
  )
}

/** The documents stay where they are; only the summary, which is small, is needed for facts. */
function factsFrom({ rest, documents }: CallPayloads): CallFacts {
  const root = documents.summary.root()
  const text = root instanceof Promise ? 'null' : documents.summary.slice(root.at, root.end)
  const summary = typeof text === 'string' && text !== 'null' ? { text } : null
  return factsOf({ ...rest, summary } as unknown as AnsweredCall)
}

function CallHead({ project, facts }: { readonly project: Project; readonly facts: CallFacts }) {
  const tokens = facts.tokens
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <StatusMark status={facts.status} isStale={facts.isStale} />
        <h2 className={`${styles.name} foreign`}>{facts.name}</h2>
        <CopyMenu project={project} callId={facts.id} />
      </div>
      <dl className={styles.facts}>
        <Fact name="Status">{facts.isStale ? 'no end was ever received' : STATUS_WORDS[facts.status]}</Fact>
        <Fact name="Started">
          <time title={facts.started_at}>{formatTime(facts.started_at)}</time>
        </Fact>
        <Fact name="Latency">
          {facts.latencyMs === undefined ? (
            facts.isStale ? (
              '–'
            ) : (
              <Elapsed since={facts.started_at} />
            )
          ) : (
            formatDuration(facts.latencyMs)
          )}
        </Fact>
        {tokens !== undefined && (
          <Fact name="Tokens">
            <span
              title={tokens.cacheRead > 0 ? `${formatCount(tokens.cacheRead)} read from a cache` : undefined}
            >
              {formatCount(tokens.input)} → {formatCount(tokens.output)}
            </span>
          </Fact>
        )}
        {facts.cost !== undefined && <Fact name="Cost">{formatCost(facts.cost)}</Fact>}
        {facts.models.length > 0 && (
          <Fact name="Model">
            <span className="foreign">{visibleText(facts.models.join(', '))}</span>
          </Fact>
        )}
        {facts.user !== null && (
          <Fact name="User">
            <span className="foreign">{visibleText(facts.user)}</span>
          </Fact>
        )}
        {facts.thread_id !== null && (
          <Fact name="Thread">
            <span className="foreign">{visibleText(facts.thread_id)}</span>
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

function Overview({ facts, payloads }: { readonly facts: CallFacts; readonly payloads: CallPayloads }) {
  const { inputs, output } = payloads.documents
  const isRunning = facts.status === 'running'
  return (
    <>
      {facts.exception !== null && (
        <section className={styles.exception} aria-label="Exception">
          <div className={styles.exceptionHead}>
            <h3 dir="auto">{exceptionLine(facts.exception)}</h3>
            <CopyButton text={facts.exception} label="Copy the exception" />
          </div>
          {facts.exception.includes('\n') && (
            <pre className={styles.trace} dir="auto" tabIndex={0}>
              {visibleText(facts.exception.slice(0, 50_000))}
            </pre>
          )}
        </section>
      )}
      {payloads.conversation !== undefined && (
        <PayloadSection title="Conversation" key="conversation">
          <ConversationView messages={payloads.conversation} sources={payloads.documents} />
        </PayloadSection>
      )}
      <PayloadSection
        title="Inputs"
        about={formatBytes(inputs.size)}
        // Who reads the conversation has seen them already.
        isFolded={payloads.conversation !== undefined}
      >
        <JsonView source={inputs} name="inputs" />
      </PayloadSection>
      <PayloadSection
        title="Output"
        about={isRunning ? 'not yet' : formatBytes(output.size)}
        isFolded={payloads.conversation !== undefined}
      >
        {isRunning ? <p className={styles.shimmer}>running…</p> : <JsonView source={output} name="output" />}
      </PayloadSection>
    </>
  )
}

function Raw({ payloads }: { readonly payloads: CallPayloads }) {
  const { attributes, summary } = payloads.documents
  return (
    <>
      <PayloadSection title="Attributes" about={formatBytes(attributes.size)}>
        <JsonView source={attributes} name="attributes" />
      </PayloadSection>
      <PayloadSection title="Summary" about={formatBytes(summary.size)}>
        <JsonView source={summary} name="summary" />
      </PayloadSection>
      <PayloadSection title="Ids">
        <dl className={styles.ids}>
          {Object.entries(payloads.rest)
            .filter(([key, value]) => value !== null && key !== 'exception')
            .map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd className="foreign">
                  {visibleText(typeof value === 'string' ? value : JSON.stringify(value))}
                </dd>
              </div>
            ))}
        </dl>
      </PayloadSection>
    </>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label="Reading the call">
      <span />
      <span />
      <span />
    </div>
  )
}
