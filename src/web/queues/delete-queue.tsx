import type { Project } from '../api/project.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { type Queue, useDeleteQueue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** The queue to delete; undefined while the dialog is closed. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** The dialog that confirms the deletion of a queue. */
export function DeleteQueue({ project, queue, onClose, onDeleted }: Props) {
  const remove = useDeleteQueue(project)
  return (
    <ConfirmDialog
      title={`Delete queue “${queue?.name ?? ''}”?`}
      isOpen={queue !== undefined}
      action="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => queue !== undefined && remove.mutate(queue.id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      The calls and their feedback are kept. The review progress of this queue is deleted.
    </ConfirmDialog>
  )
}
