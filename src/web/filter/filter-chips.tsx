import { Icon } from '../ui/icon.tsx'
import { conjunction, conjuncts } from './ast.ts'
import type { FilterInput } from './filter-input.ts'
import styles from './filter-box.module.css'
import { parseFilter } from './parse.ts'
import { printFilter } from './print.ts'

interface Props extends FilterInput {
  readonly onApply: (input: FilterInput) => void
  readonly onEdit: () => void
}

/** A chip for each condition. An invalid filter is one chip, so that it can be fixed or removed. */
export function FilterChips({ filter, text, onApply, onEdit }: Props) {
  const parsed = parseFilter(filter ?? '')
  const parts = parsed.ok ? conjuncts(parsed.filter) : []
  const without = (i: number): string | undefined =>
    printFilter(conjunction(parts.filter((_, j) => j !== i))) || undefined
  return (
    <span className={styles.chips}>
      {text !== undefined && (
        <Chip
          label={`“${text}”`}
          about={`Text ${text}`}
          onEdit={onEdit}
          onRemove={() => onApply({ filter })}
        />
      )}
      {parts.map((part, i) => {
        const label = printFilter(part)
        return (
          <Chip
            key={label}
            label={label}
            about={`Condition ${label}`}
            onEdit={onEdit}
            onRemove={() => onApply({ filter: without(i), text })}
          />
        )
      })}
      {!parsed.ok && (
        <Chip
          label={filter ?? ''}
          about="Invalid filter"
          isInvalid
          onEdit={onEdit}
          onRemove={() => onApply({ text })}
        />
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
