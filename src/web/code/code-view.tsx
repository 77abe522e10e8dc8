import { useMemo, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './code-view.module.css'
import { languageOf, tokenLines } from './tokens.ts'

/** So many lines are drawn at first. */
const DRAWN_LINES = 2000

/** A file of a program to read: coloured, with numbers of lines. */
export function CodeView({ fileName, code }: { readonly fileName: string; readonly code: string }) {
  const lines = useMemo(() => tokenLines(code.replace(/\n$/, ''), languageOf(fileName)), [code, fileName])
  const [isWhole, setWhole] = useState(lines.length <= DRAWN_LINES)
  const shown = isWhole ? lines : lines.slice(0, DRAWN_LINES)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <code className="foreign">{visibleText(fileName)}</code>
        <span className={styles.count}>
          {lines.length === 1 ? '1 line' : `${formatCount(lines.length)} lines`}
        </span>
        <CopyButton text={code} label={`Copy ${fileName}`} />
      </figcaption>
      <pre className={styles.code} tabIndex={0} role="region" aria-label={`Code of ${fileName}`}>
        {shown.map((tokens, i) => (
          <span key={i} className={styles.line}>
            {tokens.map(({ kind, text }, j) =>
              kind === 'plain' ? (
                visibleText(text)
              ) : (
                <span key={j} className={styles[kind]}>
                  {visibleText(text)}
                </span>
              ),
            )}
            {'\n'}
          </span>
        ))}
      </pre>
      {!isWhole && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show {formatCount(lines.length - DRAWN_LINES)} more lines
        </button>
      )}
    </figure>
  )
}
