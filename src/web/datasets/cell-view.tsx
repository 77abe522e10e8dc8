import { stringAt } from '../../client/browser/json-scan.ts'
import { RefLink } from '../ui/ref-link.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './dataset-grid.module.css'
import { jsonKind } from './row-text.ts'

/** Longer values are truncated in a cell. */
const MAX_SHOWN_CHARACTERS = 300

/** The value of a cell, rendered by its JSON type. */
export function CellView({ json }: { readonly json: string | undefined }) {
  if (json === undefined) return <span className="faint">–</span>
  const kind = jsonKind(json)
  if (kind === 'string') {
    // A very long string is cut before it is parsed. The cut text has no closing quote, so it is not unescaped.
    const text = json.length > 20_000 ? json.slice(1, MAX_SHOWN_CHARACTERS) : stringAt(json, 0)
    const shown = visibleText(text.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/\s+/g, ' '))
    return (
      <span className={`${styles.text} isolate`}>
        {text.startsWith('weave:///') ? <RefLink text={text}>{shown}</RefLink> : shown}
        {text === '' && <span className="faint">empty string</span>}
      </span>
    )
  }
  return (
    <span className={styles.json} data-kind={kind}>
      {visibleText(json.slice(0, MAX_SHOWN_CHARACTERS))}
    </span>
  )
}
