import { IconButton } from '../ui/icon-button.tsx'
import styles from './trace-steps.module.css'

interface Props {
  /** Undefined at the end of the list. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** Buttons that open the previous and the next trace, in the order of the list: newest first. */
export function TraceSteps({ onPrevious, onNext }: Props) {
  return (
    <span className={styles.steps}>
      <IconButton
        icon="chevronUp"
        label="Previous trace"
        tooltip="Previous trace (K)"
        disabled={onPrevious === undefined}
        onClick={onPrevious}
      />
      <IconButton
        icon="chevronDown"
        label="Next trace"
        tooltip="Next trace (J)"
        disabled={onNext === undefined}
        onClick={onNext}
      />
    </span>
  )
}
