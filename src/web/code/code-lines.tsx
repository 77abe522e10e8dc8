import { visibleText } from '../ui/visible-text.ts'
import styles from './code-lines.module.css'
import type { Token } from './highlight.ts'

/** Highlighted lines, for a `pre`. */
export function CodeLines(props: {
  readonly lines: readonly (readonly Token[])[]
  readonly isNumbered: boolean
}) {
  return props.lines.map((tokens, i) => (
    <span key={i} className={props.isNumbered ? styles.numbered : styles.line}>
      {tokens.map(({ kind, text }, j) =>
        kind === '' ? (
          visibleText(text)
        ) : (
          <span key={j} className={styles[kind]}>
            {visibleText(text)}
          </span>
        ),
      )}
      {'\n'}
    </span>
  ))
}
