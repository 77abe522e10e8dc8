import { Button, Modal } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './confirm-dialog.module.css'
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
    <Modal
      opened={queue !== undefined}
      onClose={onClose}
      title={`Delete queue “${queue?.name ?? ''}”?`}
      size="sm"
    >
      <p className={styles.text}>
        The calls and their feedback are kept. The review progress of this queue is deleted.
      </p>
      {remove.isError && <ErrorNotice error={remove.error} />}
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="madder"
          variant="light"
          loading={remove.isPending}
          onClick={() => queue !== undefined && remove.mutate(queue.id, { onSuccess: onDeleted })}
        >
          Delete
        </Button>
      </div>
    </Modal>
  )
}
