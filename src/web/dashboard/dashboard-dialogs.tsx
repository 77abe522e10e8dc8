import type { Project } from '../api/project.ts'
import { NameDialog, renaming } from '../named-objects/name-dialog.tsx'
import type { Dashboard } from './definition.ts'
import { useSaveDashboard } from './use-dashboards.ts'

/** Why the name dialog is open. */
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
  const { label } = naming.dashboard
  return naming.kind === 'rename'
    ? renaming(naming.dashboard, 'Existing links keep working.')
    : {
        title: `Duplicate “${label}”`,
        action: 'Duplicate',
        hint: 'Copies all charts.',
        name: `${label} (copy)`,
      }
}
