import type { Project } from '../api/project.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { type NamedObject, useDeleteNamedObject } from './use-named-objects.ts'

interface Props {
  readonly project: Project
  readonly className: string
  /** The noun in messages, such as `view`. */
  readonly noun: string
  /** What happens to other things. */
  readonly hint: string
  /** The dialog is closed while `undefined`. */
  readonly subject: Pick<NamedObject, 'object_id' | 'label'> | undefined
  readonly onClose: () => void
  readonly onDeleted: (object_id: string) => void
}

/** Confirmation dialog for deleting an object. */
export function DeleteDialog({ project, className, noun, hint, subject, onClose, onDeleted }: Props) {
  const remove = useDeleteNamedObject(project, className)
  const submit = (): void => {
    if (subject === undefined) return
    remove.mutate(subject.object_id, { onSuccess: () => onDeleted(subject.object_id) })
  }
  return (
    <ConfirmDialog
      title={`Delete ${noun} “${subject?.label ?? ''}”?`}
      isOpen={subject !== undefined}
      action="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={submit}
      onClose={onClose}
    >
      The {noun} is deleted for everyone in the project. {hint}
    </ConfirmDialog>
  )
}
