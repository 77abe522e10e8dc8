import type { Project } from '../../api/project.ts'
import { NameDialog, renaming } from '../../named-objects/name-dialog.tsx'
import type { ViewSearch } from './definition.ts'
import type { SavedView } from './use-saved-views.ts'
import { useSaveView } from './use-save-view.ts'

interface NameProps {
  readonly project: Project
  readonly views: readonly SavedView[]
  /** The search to save as a new view, or the view to rename. The dialog is closed while `undefined`. */
  readonly subject: { readonly search: ViewSearch } | { readonly view: SavedView } | undefined
  readonly onClose: () => void
  readonly onSaved: (object_id: string) => void
}

/** Dialog that saves a new view or renames one. */
export function NameViewDialog({ project, views, subject, onClose, onSaved }: NameProps) {
  const save = useSaveView(project)
  const before = subject !== undefined && 'view' in subject ? subject.view : undefined
  return (
    <NameDialog
      subject={
        subject === undefined
          ? undefined
          : before === undefined
            ? {
                title: 'Save view',
                action: 'Save',
                hint: 'Saves the filter, time range, sort order and columns for everyone in the project.',
              }
            : renaming(before, 'Existing links keep working.')
      }
      noun="view"
      placeholder="Slow answers for gold customers"
      existing={views}
      isPending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSave={(label) => {
        if (subject === undefined) return
        save.mutate(
          'view' in subject ? { label, previous: subject.view } : { label, search: subject.search },
          {
            onSuccess: ({ object_id }) => onSaved(object_id),
          },
        )
      }}
    />
  )
}
