import { Button, Modal } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import styles from './asking.module.css'
import { type Queue, useDeleteQueue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** Undefined while nobody asks. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks before a queue is deleted. */
export function DeleteQueue({ project, queue, onClose, onDeleted }: Props) {
  const remove = useDeleteQueue(project)
  return (
    <Modal
      opened={queue !== undefined}
      onClose={onClose}
      title={`Delete the queue “${queue?.name ?? ''}”?`}
      size="sm"
    >
      <p className={styles.text}>
        Its calls, and everything that was said of them, stay. Who has judged what in it is forgotten.
      </p>
      {remove.isError && <Failure error={remove.error} />}
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Keep
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
