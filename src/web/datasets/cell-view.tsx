import { stringAt } from '../../client/browser/json-scan.ts'
import { RefLink } from '../objects/ref-link.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './dataset-grid.module.css'
import { kindOfJson } from './row-text.ts'

/** So much of a value is drawn in a cell. */
const DRAWN_CHARACTERS = 300

/** A value in a cell, by its type. */
export function CellView({ json }: { readonly json: string | undefined }) {
  if (json === undefined) return <span className={styles.absent}>–</span>
  const kind = kindOfJson(json)
  if (kind === 'string') {
    // A string that is cut has no closing quote: only as much as is certainly whole is read.
    const text = json.length > 20_000 ? json.slice(1, DRAWN_CHARACTERS) : stringAt(json, 0)
    const shown = visibleText(text.slice(0, DRAWN_CHARACTERS).replaceAll(/\s+/g, ' '))
    return (
      <span className={`${styles.text} foreign`}>
        {text.startsWith('weave:///') ? <RefLink text={text}>{shown}</RefLink> : shown}
        {text === '' && <span className={styles.absent}>empty text</span>}
      </span>
    )
  }
  return (
    <span className={styles.json} data-kind={kind}>
      {visibleText(json.slice(0, DRAWN_CHARACTERS))}
    </span>
  )
}
