import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { useCanWrite } from '../api/role.tsx'
import { DASHBOARD_CLASS } from '../named-objects/classes.ts'
import { DeleteDialog } from '../named-objects/delete-dialog.tsx'
import { ActionMenu, MenuAction } from '../ui/action-menu.tsx'
import { DashboardNameDialog, type DashboardNaming } from './dashboard-dialogs.tsx'
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
  if (!useCanWrite()) return null
  return (
    <>
      <ActionMenu label={`Actions for ${dashboard.label}`} className={className}>
        <MenuAction icon="edit" onClick={() => setNaming({ kind: 'rename', dashboard })}>
          Rename
        </MenuAction>
        <MenuAction icon="copy" onClick={() => setNaming({ kind: 'duplicate', dashboard })}>
          Duplicate
        </MenuAction>
        <MenuAction color="danger" icon="trash" onClick={() => setDeleting(true)}>
          Delete
        </MenuAction>
      </ActionMenu>
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
      <DeleteDialog
        project={project}
        className={DASHBOARD_CLASS}
        noun="dashboard"
        hint="Calls are not affected."
        subject={isDeleting ? dashboard : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </>
  )
}
