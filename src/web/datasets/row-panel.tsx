import { useMemo } from 'react'
import { JsonIndex } from '../json/json-index.ts'
import { JsonView } from '../json/json-view.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatCount } from '../ui/format.ts'
import styles from './row-panel.module.css'

interface Props {
  readonly index: number
  readonly count: number
  readonly text: string
  /** Undefined closes the panel. */
  readonly onRow: (row: number | undefined) => void
}

/** The side panel with the full content of one row. */
export function RowPanel({ index, count, text, onRow }: Props) {
  const source = useMemo(() => new JsonIndex(text), [text])
  return (
    <aside className={styles.panel} aria-label={`Row ${index + 1}`}>
      <header className={styles.head}>
        <h2>Row {formatCount(index + 1)}</h2>
        <CopyButton text={text} label="Copy row" />
        <span className="grow" />
        <IconButton
          icon="chevronUp"
          label="Previous row"
          disabled={index === 0}
          onClick={() => onRow(index - 1)}
        />
        <IconButton
          icon="chevronDown"
          label="Next row"
          disabled={index >= count - 1}
          onClick={() => onRow(index + 1)}
        />
        <IconButton icon="close" label="Close row" tooltip="Close (Esc)" onClick={() => onRow(undefined)} />
      </header>
      <div className={styles.body} tabIndex={0} role="region" aria-label="Row values">
        <JsonView source={source} name="row" />
      </div>
    </aside>
  )
}
