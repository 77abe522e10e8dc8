import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { DashboardNameDialog, type DashboardNaming, DeleteDashboardDialog } from './dashboard-dialogs.tsx'
import type { Dashboard } from './definition.ts'

interface Props {
  readonly project: Project
  readonly dashboard: Dashboard
  readonly existing: readonly Dashboard[]
  readonly className?: string | undefined
  /** Called with the id of a duplicate. */
  readonly onDuplicated: (object_id: string) => void
  readonly onDeleted: () => void
}

/** Menu that renames, duplicates and deletes a dashboard. */
export function DashboardActions({
  project,
  dashboard,
  existing,
  className,
  onDuplicated,
  onDeleted,
}: Props) {
  const [naming, setNaming] = useState<DashboardNaming>()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon className={className} aria-label={`Actions for ${dashboard.label}`}>
            <Icon name="more" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="edit" size={14} />}
            onClick={() => setNaming({ kind: 'rename', dashboard })}
          >
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="copy" size={14} />}
            onClick={() => setNaming({ kind: 'duplicate', dashboard })}
          >
            Duplicate
          </Menu.Item>
          <Menu.Item
            color="madder"
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DashboardNameDialog
        project={project}
        naming={naming}
        existing={existing}
        onClose={() => setNaming(undefined)}
        onSaved={(object_id) => {
          if (naming?.kind === 'duplicate') onDuplicated(object_id)
          setNaming(undefined)
        }}
      />
      <DeleteDashboardDialog
        project={project}
        dashboard={isDeleting ? dashboard : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </>
  )
}
