import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './label-chips.module.css'

interface Props {
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** If given, each label has a remove button. */
  readonly onRemove?: (kind: 'tag' | 'alias', label: string) => void
}

/** The labels of a version. An alias points to one version of an object; a tag can be on any number. */
export function LabelChips({ tags, aliases, onRemove }: Props) {
  const chip = (kind: 'tag' | 'alias', label: string) => (
    <span key={`${kind} ${label}`} className={styles.chip} data-kind={kind} title={`${kind} ${label}`}>
      {kind === 'alias' && <span aria-hidden="true">@</span>}
      <span className="ellipsis isolate">{visibleText(label)}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          className={styles.remove}
          aria-label={`Remove ${kind} ${label}`}
          onClick={() => onRemove(kind, label)}
        >
          <Icon name="close" size={10} />
        </button>
      )}
    </span>
  )
  return (
    <>
      {/* `latest` is shown beside the version number. */}
      {aliases.filter((alias) => alias !== 'latest').map((alias) => chip('alias', alias))}
      {tags.map((tag) => chip('tag', tag))}
    </>
  )
}
