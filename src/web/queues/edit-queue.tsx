import { Modal } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { QueueForm } from './queue-form.tsx'
import type { Queue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** Undefined while nobody asks. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** Changes what a queue is called, what it tells people to look at, and the scores that it asks for. */
export function EditQueue({ project, queue, onClose }: Props) {
  return (
    <Modal opened={queue !== undefined} onClose={onClose} title={`Edit “${queue?.name ?? ''}”`}>
      {queue !== undefined && (
        <QueueForm project={project} queue={queue} onCancel={onClose} onMade={onClose} />
      )}
    </Modal>
  )
}
