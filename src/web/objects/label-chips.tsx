import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './label-chips.module.css'

interface Props {
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** Where given, each can be taken off. */
  readonly onRemove?: (kind: 'tag' | 'alias', label: string) => void
}

/** What people have called a version. An alias names one version of an object, a tag any number. */
export function LabelChips({ tags, aliases, onRemove }: Props) {
  const chip = (kind: 'tag' | 'alias', label: string) => (
    <span key={`${kind} ${label}`} className={styles.chip} data-kind={kind} title={`${kind} ${label}`}>
      {kind === 'alias' && <span aria-hidden="true">@</span>}
      <span className={`${styles.label} foreign`}>{visibleText(label)}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          className={styles.remove}
          aria-label={`Remove the ${kind} ${label}`}
          onClick={() => onRemove(kind, label)}
        >
          <Icon name="close" size={10} />
        </button>
      )}
    </span>
  )
  return (
    <>
      {/* That a version is the latest is told by its number. */}
      {aliases.filter((alias) => alias !== 'latest').map((alias) => chip('alias', alias))}
      {tags.map((tag) => chip('tag', tag))}
    </>
  )
}
