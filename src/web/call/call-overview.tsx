import type { Project } from '../api/project.ts'
import { JsonView } from '../json/json-view.tsx'
import { MarkdownToggle } from '../markdown/markdown-toggle.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import styles from './call-detail.module.css'
import type { CallListItem } from './call-list-item.ts'
import { ConversationView } from './conversation-view.tsx'
import { ExceptionView } from './exception-view.tsx'
import { PayloadSection } from './payload-section.tsx'
import { PayloadView, useReadable } from './payload-view.tsx'
import type { CallPayloads } from './payloads/payload-client.ts'
import { SpanEvents, SpanLinks } from './span-events.tsx'

/** What a call got and returned: its exception first, then the conversation or inputs and output, events and links. */
export function CallOverview(props: {
  readonly project: Project
  readonly item: CallListItem
  readonly payloads: CallPayloads
  /** What is reviewed comes first: the output. */
  readonly isReview?: boolean
}) {
  const { item, payloads, isReview = false } = props
  const { inputs, output } = payloads.documents
  const { conversation } = payloads
  const isRunning = item.status === 'running'
  const answer = isReview ? conversation?.filter(({ isOutput }) => isOutput) : undefined
  const hasAnswer = answer !== undefined && answer.length > 0
  const shown = hasAnswer ? conversation?.filter(({ isOutput }) => !isOutput) : conversation
  const documents = [useReadable(inputs), useReadable(output)]
  const isReadable = documents.some((document) => document !== undefined)
  const inputsSection = (
    <PayloadSection
      key="inputs"
      title="Inputs"
      about={item.isPayloadExpired ? 'deleted' : formatBytes(inputs.size)}
      // The conversation already shows the inputs.
      isCollapsed={conversation !== undefined || item.isPayloadExpired}
      actions={conversation === undefined && isReadable && <MarkdownToggle />}
    >
      {conversation === undefined ? (
        <PayloadView source={inputs} name="inputs" />
      ) : (
        <JsonView source={inputs} name="inputs" />
      )}
    </PayloadSection>
  )
  const outputSection = (
    <PayloadSection
      key="output"
      title="Output"
      about={isRunning ? 'running' : item.isPayloadExpired ? 'deleted' : formatBytes(output.size)}
      isCollapsed={conversation !== undefined || item.isPayloadExpired}
    >
      {isRunning ? (
        <p className="shimmer">Running…</p>
      ) : conversation === undefined ? (
        <PayloadView source={output} name="output" />
      ) : (
        <JsonView source={output} name="output" />
      )}
    </PayloadSection>
  )
  return (
    <>
      {item.exception !== null && <ExceptionView exception={item.exception} />}
      {hasAnswer && (
        <PayloadSection title="Answer" actions={<MarkdownToggle />}>
          <ConversationView messages={answer} sources={payloads.documents} />
        </PayloadSection>
      )}
      {shown !== undefined && (
        <PayloadSection title="Conversation" key="conversation" actions={!hasAnswer && <MarkdownToggle />}>
          <ConversationView messages={shown} sources={payloads.documents} />
        </PayloadSection>
      )}
      {item.isPayloadExpired && (
        <p className={styles.expired} role="note">
          Inputs, output and most attributes of this call were deleted by the retention policy of the project.
          Its metrics are kept.
        </p>
      )}
      {isReview && conversation === undefined
        ? [outputSection, inputsSection]
        : [inputsSection, outputSection]}
      {payloads.events.length > 0 && (
        <PayloadSection title="Events" about={formatCount(payloads.events.length)}>
          <SpanEvents events={payloads.events} started_at={item.started_at} />
        </PayloadSection>
      )}
      {payloads.links.length > 0 && (
        <PayloadSection title="Links" about={formatCount(payloads.links.length)}>
          <SpanLinks project={props.project} links={payloads.links} trace_id={item.trace_id} />
        </PayloadSection>
      )}
    </>
  )
}
