import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { type CallAction, CallDialog } from '../call-actions/call-dialog.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  readonly project: Project
  /** The selected call. */
  readonly callId: string
  readonly rootId: string | undefined
  readonly onDeleted: () => void
}

/** Menu of what can be done with an open trace: the selected call is collected, the whole trace is deleted. */
export function TraceActions({ project, callId, rootId, onDeleted }: Props) {
  const [action, setAction] = useState<CallAction>()
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Actions">
            <ActionIcon aria-label="Trace actions">
              <Icon name="more" size={14} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Selected call</Menu.Label>
          <Menu.Item leftSection={<Icon name="table" size={14} />} onClick={() => setAction('dataset')}>
            Add to dataset
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="queue" size={14} />} onClick={() => setAction('queue')}>
            Add to queue
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="tag" size={14} />} onClick={() => setAction('tag')}>
            Tag
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="madder"
            leftSection={<Icon name="trash" size={14} />}
            disabled={rootId === undefined}
            onClick={() => setAction('delete')}
          >
            Delete trace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CallDialog
        project={project}
        ids={action === 'delete' ? [rootId ?? callId] : [callId]}
        action={action}
        onClose={() => setAction(undefined)}
        onDeleted={onDeleted}
      />
    </>
  )
}
