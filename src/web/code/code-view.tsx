import { useMemo, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './code-view.module.css'
import { CodeLines } from './code-lines.tsx'
import { highlightLines } from './highlight.ts'

/** Lines rendered before “show more”. */
const INITIAL_LINES = 2000

/** Source code with syntax highlighting and line numbers. */
export function CodeView({ fileName, code }: { readonly fileName: string; readonly code: string }) {
  const lines = useMemo(() => highlightLines(code.replace(/\n$/, ''), fileName), [code, fileName])
  const [isExpanded, setExpanded] = useState(lines.length <= INITIAL_LINES)
  const shown = isExpanded ? lines : lines.slice(0, INITIAL_LINES)
  return (
    <figure className="frame">
      <figcaption className={styles.caption}>
        <code className="isolate">{visibleText(fileName)}</code>
        <span className="hint grow">
          {lines.length === 1 ? '1 line' : `${formatCount(lines.length)} lines`}
        </span>
        <CopyButton text={code} label={`Copy ${fileName}`} />
      </figcaption>
      <pre className={styles.code} tabIndex={0} role="region" aria-label={`Code of ${fileName}`}>
        <CodeLines lines={shown} isNumbered />
      </pre>
      {!isExpanded && (
        <button type="button" className={styles.more} onClick={() => setExpanded(true)}>
          Show {formatCount(lines.length - INITIAL_LINES)} more lines
        </button>
      )}
    </figure>
  )
}
