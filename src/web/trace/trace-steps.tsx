import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '../ui/icon.tsx'
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
      <Tooltip label="Previous trace (K)">
        <ActionIcon aria-label="Previous trace" disabled={onPrevious === undefined} onClick={onPrevious}>
          <Icon name="chevronUp" size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next trace (J)">
        <ActionIcon aria-label="Next trace" disabled={onNext === undefined} onClick={onNext}>
          <Icon name="chevronDown" size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}
