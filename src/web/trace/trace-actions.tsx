import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { type CallAction, CallDialog } from '../call-actions/call-dialog.tsx'
import { ActionMenu, MenuAction } from '../ui/action-menu.tsx'

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
      <ActionMenu label="Trace actions" tooltip="Actions">
        <Menu.Label>Selected call</Menu.Label>
        <MenuAction icon="table" onClick={() => setAction('dataset')}>
          Add to dataset
        </MenuAction>
        <MenuAction icon="queue" onClick={() => setAction('queue')}>
          Add to queue
        </MenuAction>
        <MenuAction icon="tag" onClick={() => setAction('tag')}>
          Tag
        </MenuAction>
        <Menu.Divider />
        <MenuAction
          color="danger"
          icon="trash"
          disabled={rootId === undefined}
          onClick={() => setAction('delete')}
        >
          Delete trace
        </MenuAction>
      </ActionMenu>
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
