import { useState } from 'react'
import type { JsonSource } from '../json/json-source.ts'
import { MediaView } from '../media/media-view.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './conversation-view.module.css'
import type { ConversationDocument, Message, MessagePart } from './message.ts'

/** The documents in which the messages stand; the bytes of media are read from them. */
type ConversationSources = Readonly<Record<ConversationDocument, JsonSource>>

interface Props {
  readonly messages: readonly Message[]
  readonly sources: ConversationSources
}

/** What was said, turn by turn. All of it is text: nothing in it is ever taken for markup. */
export function ConversationView({ messages, sources }: Props) {
  // Of a long conversation the end is what happened here; the rest was said before.
  const [isWhole, setWhole] = useState(messages.length <= 12)
  const shown = isWhole ? messages : messages.slice(-8)
  return (
    <ol className={styles.list} aria-label="Conversation">
      {!isWhole && (
        <li>
          <button type="button" className={styles.earlier} onClick={() => setWhole(true)}>
            Show {messages.length - shown.length} earlier messages
          </button>
        </li>
      )}
      {shown.map((message, i) => (
        <li
          // Messages have no ids, and never change their order.
          key={messages.length - shown.length + i}
          className={styles.message}
          data-role={message.role}
          data-output={message.isOutput || undefined}
        >
          <div className={styles.role}>
            <Icon name={iconOf(message.role)} size={13} />
            {visibleText(message.role)}
            {message.isOutput && <span className={styles.answer}>answer</span>}
          </div>
          {message.parts.map((part, j) => (
            <Part
              key={j}
              part={part}
              sources={sources}
              label={`message ${messages.length - shown.length + i + 1}, part ${j + 1}`}
            />
          ))}
          {message.parts.length === 0 && <p className={styles.nothing}>nothing</p>}
        </li>
      ))}
    </ol>
  )
}

function iconOf(role: string): IconName {
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
      return <LongText text={part.text} isCut={part.isCut} />
    case 'thinking':
      return (
        <details className={styles.thinking}>
          <summary>Thinking</summary>
          <LongText text={part.text} isCut={part.isCut} />
        </details>
      )
    case 'tool call':
      return (
        <div className={styles.tool}>
          <div className={styles.toolName}>
            <Icon name="tool" size={12} /> calls <code className="foreign">{visibleText(part.name)}</code>
          </div>
          <LongText text={part.json} isCut={part.isCut} isCode />
        </div>
      )
    case 'tool result':
      return (
        <div className={styles.tool}>
          <div className={styles.toolName}>
            <Icon name="chevronRight" size={12} /> result of{' '}
            <code className="foreign">{visibleText(part.name)}</code>
          </div>
          <LongText text={part.text} isCut={part.isCut} isCode />
        </div>
      )
    case 'media':
      return part.media === undefined ? (
        <p className={styles.nothing}>[{part.name}: see the JSON]</p>
      ) : (
        <MediaView media={part.media} source={sources[part.document]} label={label} />
      )
    case 'json':
      return <LongText text={part.json} isCut={part.isCut} isCode />
  }
}

const FOLDED_CHARACTERS = 1200

interface TextProps {
  readonly text: string
  readonly isCut: boolean
  readonly isCode?: boolean
}

function LongText({ text, isCut, isCode = false }: TextProps) {
  const [isOpen, setOpen] = useState(text.length <= FOLDED_CHARACTERS)
  return (
    <>
      <p className={isCode ? styles.code : styles.text} dir="auto">
        {visibleText(isOpen ? text : `${text.slice(0, FOLDED_CHARACTERS)}…`)}
      </p>
      {!isOpen && (
        <button type="button" className={styles.earlier} onClick={() => setOpen(true)}>
          Show all of it
        </button>
      )}
      {isOpen && isCut && <p className={styles.nothing}>It goes on: the JSON has all of it.</p>}
    </>
  )
}
