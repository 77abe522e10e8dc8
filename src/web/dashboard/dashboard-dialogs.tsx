import type { Project } from '../api/project.ts'
import { DASHBOARD_CLASS } from '../named-objects/classes.ts'
import { DeleteDialog } from '../named-objects/delete-dialog.tsx'
import { NameDialog } from '../named-objects/name-dialog.tsx'
import type { Dashboard } from './definition.ts'
import { useSaveDashboard } from './use-dashboards.ts'

/** What a dashboard gets its name for. */
export type DashboardNaming =
  | { readonly kind: 'new' }
  | { readonly kind: 'rename' | 'duplicate'; readonly dashboard: Dashboard }

interface NameProps {
  readonly project: Project
  /** The dialog is closed while `undefined`. */
  readonly naming: DashboardNaming | undefined
  readonly existing: readonly Dashboard[]
  readonly onClose: () => void
  readonly onSaved: (object_id: string) => void
}

/** Dialog that creates, renames or duplicates a dashboard. */
export function DashboardNameDialog({ project, naming, existing, onClose, onSaved }: NameProps) {
  const save = useSaveDashboard(project)
  return (
    <NameDialog
      subject={naming === undefined ? undefined : dialogText(naming)}
      noun="dashboard"
      placeholder="Answer quality"
      existing={existing}
      isPending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSave={(label) => {
        if (naming === undefined) return
        const saved =
          naming.kind === 'new'
            ? { label }
            : naming.kind === 'rename'
              ? { label, object_id: naming.dashboard.object_id }
              : { label, charts: naming.dashboard.charts }
        save.mutate(saved, { onSuccess: ({ object_id }) => onSaved(object_id) })
      }}
    />
  )
}

function dialogText(naming: DashboardNaming) {
  if (naming.kind === 'new')
    return {
      title: 'New dashboard',
      action: 'Create',
      hint: 'Everyone in the project can see and change it.',
    }
  const { label, object_id } = naming.dashboard
  return naming.kind === 'rename'
    ? {
        title: `Rename “${label}”`,
        action: 'Rename',
        hint: 'Existing links keep working.',
        name: label,
        object_id,
      }
    : {
        title: `Duplicate “${label}”`,
        action: 'Duplicate',
        hint: 'Copies all charts.',
        name: `${label} (copy)`,
      }
}

interface DeleteProps {
  readonly project: Project
  /** The dialog is closed while `undefined`. */
  readonly dashboard: Dashboard | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Confirmation dialog for deleting a dashboard. */
export function DeleteDashboardDialog({ project, dashboard, onClose, onDeleted }: DeleteProps) {
  return (
    <DeleteDialog
      project={project}
      className={DASHBOARD_CLASS}
      noun="dashboard"
      hint="Calls are not affected."
      subject={dashboard}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  )
}
