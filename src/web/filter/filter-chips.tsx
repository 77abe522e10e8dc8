import { Icon } from '../ui/icon.tsx'
import { applyEdit, type EditedPart, filterParts } from './edit-filter.ts'
import type { FilterInput } from './filter-input.ts'
import styles from './filter-box.module.css'

interface Props extends FilterInput {
  /** The part that is being edited, which has no chip then. */
  readonly edited?: EditedPart | undefined
  readonly onApply: (input: FilterInput) => void
  readonly onEdit: (part: EditedPart, text: string) => void
}

/** A chip for the search text and for each condition. */
export function FilterChips({ filter, text, edited, onApply, onEdit }: Props) {
  const { texts, isInvalid } = filterParts(filter)
  const remove = (part: EditedPart): void => {
    const result = applyEdit({ filter, text }, part, '')
    if (result.ok) onApply(result.input)
  }
  return (
    <span className={styles.chips}>
      {text !== undefined && edited !== 'text' && (
        <Chip
          label={`“${text}”`}
          about={`Text ${text}`}
          onEdit={() => onEdit('text', text)}
          onRemove={() => remove('text')}
        />
      )}
      {texts.map((label, i) =>
        i === edited ? null : (
          <Chip
            key={label}
            label={label}
            about={isInvalid ? 'Invalid filter' : `Condition ${label}`}
            isInvalid={isInvalid}
            onEdit={() => onEdit(i, label)}
            onRemove={() => remove(i)}
          />
        ),
      )}
    </span>
  )
}

interface ChipProps {
  readonly label: string
  readonly about: string
  readonly isInvalid?: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Chip({ label, about, isInvalid = false, onEdit, onRemove }: ChipProps) {
  return (
    <span className={styles.chip} data-invalid={isInvalid || undefined}>
      <button type="button" className={styles.chipText} aria-label={`${about}: edit`} onClick={onEdit}>
        {label}
      </button>
      <button type="button" className={styles.chipClose} aria-label={`${about}: remove`} onClick={onRemove}>
        <Icon name="close" size={10} />
      </button>
    </span>
  )
}
