import { Icon } from '../ui/icon.tsx'
import { allOf, conjuncts } from './ast.ts'
import type { Asked } from './filter-box.tsx'
import styles from './filter-box.module.css'
import { parseFilter } from './parse.ts'
import { printFilter } from './print.ts'

interface Props extends Asked {
  readonly onAsk: (asked: Asked) => void
  readonly onEdit: () => void
}

/** Each condition by itself. One that cannot be read is shown whole, so that it can be mended. */
export function FilterChips({ filter, text, onAsk, onEdit }: Props) {
  const parsed = parseFilter(filter ?? '')
  const parts = parsed.ok ? conjuncts(parsed.filter) : []
  const without = (i: number): string | undefined =>
    printFilter(allOf(parts.filter((_, j) => j !== i))) || undefined
  return (
    <span className={styles.chips}>
      {text !== undefined && (
        <Chip label={`“${text}”`} about={`Text ${text}`} onEdit={onEdit} onRemove={() => onAsk({ filter })} />
      )}
      {parts.map((part, i) => {
        const label = printFilter(part)
        return (
          <Chip
            key={label}
            label={label}
            about={`Condition ${label}`}
            onEdit={onEdit}
            onRemove={() => onAsk({ filter: without(i), text })}
          />
        )
      })}
      {!parsed.ok && (
        <Chip
          label={filter ?? ''}
          about="Filter that cannot be read"
          isBad
          onEdit={onEdit}
          onRemove={() => onAsk({ text })}
        />
      )}
    </span>
  )
}

interface ChipProps {
  readonly label: string
  readonly about: string
  readonly isBad?: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Chip({ label, about, isBad = false, onEdit, onRemove }: ChipProps) {
  return (
    <span className={styles.chip} data-bad={isBad || undefined}>
      <button type="button" className={styles.chipText} aria-label={`${about}: edit`} onClick={onEdit}>
        {label}
      </button>
      <button type="button" className={styles.chipClose} aria-label={`${about}: remove`} onClick={onRemove}>
        <Icon name="close" size={10} />
      </button>
    </span>
  )
}
