import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
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
      <Tooltip label="Add calls by filter">
        <ActionIcon aria-label="Add calls by filter" onClick={() => onAction('add calls')}>
          <Icon name="plus" size={14} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="Queue actions">
            <Icon name="more" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={() => onAction('edit')}>
            Edit queue
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="chart" size={14} />} onClick={() => onAction('agreement')}>
            Reviewer agreement
          </Menu.Item>
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
          <Menu.Item
            leftSection={<Icon name="minus" size={14} />}
            rightSection={<kbd>X</kbd>}
            disabled={!canRemoveCall}
            onClick={() => onAction('remove call')}
          >
            Remove this call
          </Menu.Item>
          <Menu.Item
            color="madder"
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => onAction('delete')}
          >
            Delete queue
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="All queues (Esc)">
        <ActionIcon aria-label="All queues" onClick={onClose}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </Tooltip>
    </PageHeader>
  )
}
