import { Modal } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { QueueForm } from './queue-form.tsx'
import type { Queue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** The queue to edit; undefined while the dialog is closed. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** The dialog that edits the name, instructions and scores of a queue. */
export function EditQueue({ project, queue, onClose }: Props) {
  return (
    <Modal opened={queue !== undefined} onClose={onClose} title={`Edit “${queue?.name ?? ''}”`}>
      {queue !== undefined && (
        <QueueForm project={project} queue={queue} onCancel={onClose} onSaved={onClose} />
      )}
    </Modal>
  )
}
