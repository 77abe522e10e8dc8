import { useState } from 'react'
import { MarkdownText } from '../markdown/markdown-text.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './conversation-view.module.css'

const COLLAPSED_CHARACTERS = 1200

interface TextProps {
  readonly text: string
  readonly isTruncated: boolean
  readonly isCode?: boolean
}

/** A text that a person or a model wrote, or code: its beginning, until the reader wants all of it. */
export function LongText({ text, isTruncated, isCode = false }: TextProps) {
  const [isExpanded, setExpanded] = useState(text.length <= COLLAPSED_CHARACTERS)
  const shown = isExpanded ? text : `${text.slice(0, COLLAPSED_CHARACTERS)}…`
  return (
    <>
      {isCode ? (
        <p className={styles.code} dir="auto">
          {visibleText(shown)}
        </p>
      ) : (
        <MarkdownText text={shown} className={styles.text} />
      )}
      {!isExpanded && (
        <button type="button" className={styles.showMore} onClick={() => setExpanded(true)}>
          Show all
        </button>
      )}
      {isExpanded && isTruncated && <p className="none">Truncated. The JSON below has the full text.</p>}
    </>
  )
}
