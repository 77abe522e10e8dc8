import { Button, Tooltip } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LinkIcon } from '../ui/link-button.tsx'
import styles from './item-toolbar.module.css'
import type { ItemState, QueueItem } from './use-queue-items.ts'

interface Props {
  readonly project: Project
  readonly item: QueueItem
  readonly index: number
  readonly count: number
  /** Whether another reviewer has the call open. */
  readonly isHeld: boolean
  readonly onStep: (step: 1 | -1) => void
  readonly onState: (state: ItemState) => void
  /** Marks an open call as done, or leaves a done one, and goes to the next open call. */
  readonly onDone: () => void
}

/** The toolbar of the current call: position, navigation, skip and done. */
export function ItemToolbar({ project, item, index, count, isHeld, onStep, onState, onDone }: Props) {
  return (
    <div className="row gap-6" role="toolbar" aria-label="This call">
      <span className={styles.position}>
        {index + 1} of {count}
      </span>
      <IconButton
        icon="chevronUp"
        label="Previous call"
        tooltip="Previous call (K)"
        variant="default"
        disabled={index === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon="chevronDown"
        label="Next call"
        tooltip="Next call (J)"
        variant="default"
        disabled={index === count - 1}
        onClick={() => onStep(1)}
      />
      <Tooltip label="Open trace">
        <LinkIcon
          variant="default"
          aria-label="Open trace"
          to="/$entity/$project/weave/calls/$call_id"
          params={{ entity: project.entity, project: project.project, call_id: item.call_id }}
          search={{}}
        >
          <Icon name="expand" size={14} />
        </LinkIcon>
      </Tooltip>
      {item.done_by === null ? (
        <Button
          variant="default"
          disabled={isHeld}
          onClick={() => onState('skipped')}
          rightSection={<kbd>S</kbd>}
        >
          Skip
        </Button>
      ) : (
        <Button variant="default" onClick={() => onState('open')}>
          Reopen
        </Button>
      )}
      <Button disabled={isHeld} onClick={onDone} rightSection={<kbd className={styles.key}>D</kbd>}>
        {item.done_by === null ? 'Done' : 'Next open call'}
      </Button>
    </div>
  )
}
