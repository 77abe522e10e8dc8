import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
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
    <div className={styles.toolbar} role="toolbar" aria-label="This call">
      <span className={styles.position}>
        {index + 1} of {count}
      </span>
      <Tooltip label="Previous call (K)">
        <ActionIcon
          variant="default"
          aria-label="Previous call"
          disabled={index === 0}
          onClick={() => onStep(-1)}
        >
          <Icon name="chevronUp" size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next call (J)">
        <ActionIcon
          variant="default"
          aria-label="Next call"
          disabled={index === count - 1}
          onClick={() => onStep(1)}
        >
          <Icon name="chevronDown" size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Open trace">
        <ActionIcon
          component="div"
          variant="default"
          aria-label="Open trace"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/$entity/$project/weave/calls/$call_id"
              params={{ entity: project.entity, project: project.project, call_id: item.call_id }}
              search={{}}
            />
          )}
        >
          <Icon name="expand" size={14} />
        </ActionIcon>
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
