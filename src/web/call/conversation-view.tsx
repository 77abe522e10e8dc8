import { useState } from 'react'
import type { JsonSource } from '../json/json-source.ts'
import { MediaView } from '../media/media-view.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './conversation-view.module.css'
import { LongText } from './long-text.tsx'
import type { ConversationDocument, Message, MessagePart } from './message.ts'
import { useRoles } from './use-roles.ts'

/** The documents that contain the messages. Media bytes are read from them. */
type ConversationSources = Readonly<Record<ConversationDocument, JsonSource>>

interface Props {
  readonly messages: readonly Message[]
  readonly sources: ConversationSources
}

/** The messages of a conversation. Texts are Markdown without HTML, everything else is plain text. */
export function ConversationView({ messages, sources }: Props) {
  // A long conversation starts collapsed: its end belongs to this call, the rest is history.
  const [isExpanded, setExpanded] = useState(messages.length <= 12)
  const shown = isExpanded ? messages : messages.slice(-8)
  const roleOf = useRoles(messages)
  return (
    <ol className="stack gap-8" aria-label="Conversation">
      {!isExpanded && (
        <li>
          <button type="button" className={styles.showMore} onClick={() => setExpanded(true)}>
            Show {messages.length - shown.length} earlier messages
          </button>
        </li>
      )}
      {shown.map((message, i) => (
        <li
          // Messages have no ids, and their order never changes.
          key={messages.length - shown.length + i}
          className={styles.message}
          data-role={roleOf(message.role)}
          data-output={message.isOutput || undefined}
        >
          <div className={styles.role}>
            <Icon name={roleIcon(roleOf(message.role))} size={13} />
            {visibleText(roleOf(message.role))}
            {message.isOutput && <span className={styles.outputBadge}>output</span>}
          </div>
          {message.parts.map((part, j) => (
            <Part
              key={j}
              part={part}
              sources={sources}
              label={`message ${messages.length - shown.length + i + 1}, part ${j + 1}`}
            />
          ))}
          {message.parts.length === 0 && <p className="none">empty</p>}
        </li>
      ))}
    </ol>
  )
}

function roleIcon(role: string): IconName {
  if (role === 'assistant') return 'llm'
  if (role === 'tool' || role === 'function') return 'tool'
  return role === 'system' || role === 'developer' ? 'settings' : 'smile'
}

interface PartProps {
  readonly part: MessagePart
  readonly sources: ConversationSources
  readonly label: string
}

function Part({ part, sources, label }: PartProps) {
  switch (part.kind) {
    case 'text':
      return <LongText text={part.text} isTruncated={part.isTruncated} />
    case 'thinking':
      return (
        <details className={styles.thinking}>
          <summary>Thinking</summary>
          <LongText text={part.text} isTruncated={part.isTruncated} />
        </details>
      )
    case 'tool call':
      return (
        <div className={styles.tool}>
          <div className={styles.toolName}>
            <Icon name="tool" size={12} /> tool call <code className="isolate">{visibleText(part.name)}</code>
          </div>
          <LongText text={part.json} isTruncated={part.isTruncated} isCode />
        </div>
      )
    case 'tool result':
      return (
        <div className={styles.tool}>
          <div className={styles.toolName}>
            <Icon name="chevronRight" size={12} /> tool result{' '}
            <code className="isolate">{visibleText(part.name)}</code>
          </div>
          <LongText text={part.text} isTruncated={part.isTruncated} isCode />
        </div>
      )
    case 'media':
      return part.media === undefined ? (
        <p className="none">[{part.name}: see the JSON below]</p>
      ) : (
        <MediaView media={part.media} source={sources[part.document]} label={label} />
      )
    case 'json':
      return <LongText text={part.json} isTruncated={part.isTruncated} isCode />
  }
}
