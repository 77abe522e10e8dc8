import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { WriteOnly } from '../api/role.tsx'
import { ActionMenu, MenuAction } from '../ui/action-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { QueueAction } from './queue-actions.ts'

const RESULT_FORMATS = [
  { format: 'csv', label: 'Export results as CSV' },
  { format: 'jsonl', label: 'Export results as JSON Lines' },
] as const

interface Props {
  readonly name: string
  /** The path of the file with the results. */
  readonly resultsPath: string
  readonly progress: ReactNode
  /** False while no call is shown, or while another reviewer has it open. */
  readonly canRemoveCall: boolean
  readonly onAction: (action: QueueAction) => void
  readonly onClose: () => void
}

/** The header of a queue: its name, progress and actions. */
export function QueueHeader({ name, resultsPath, progress, canRemoveCall, onAction, onClose }: Props) {
  return (
    <PageHeader title={<span className="isolate">{visibleText(name)}</span>} summary={progress}>
      <WriteOnly>
        <IconButton
          icon="plus"
          label="Add calls by filter"
          tooltip="Add calls by filter"
          onClick={() => onAction('add calls')}
        />
      </WriteOnly>
      <ActionMenu label="Queue actions">
        <WriteOnly>
          <MenuAction icon="edit" onClick={() => onAction('edit')}>
            Edit queue
          </MenuAction>
        </WriteOnly>
        <MenuAction icon="chart" onClick={() => onAction('agreement')}>
          Reviewer agreement
        </MenuAction>
        {RESULT_FORMATS.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={`${resultsPath}?format=${format}`}
            leftSection={<Icon name="download" size={14} />}
          >
            {label}
          </Menu.Item>
        ))}
        <WriteOnly>
          <MenuAction
            icon="minus"
            rightSection={<kbd>X</kbd>}
            disabled={!canRemoveCall}
            onClick={() => onAction('remove call')}
          >
            Remove this call
          </MenuAction>
          <MenuAction color="danger" icon="trash" onClick={() => onAction('delete')}>
            Delete queue
          </MenuAction>
        </WriteOnly>
      </ActionMenu>
      <IconButton icon="close" label="All queues" tooltip="All queues (Esc)" onClick={onClose} />
    </PageHeader>
  )
}
