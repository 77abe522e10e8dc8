import type { Project } from '../api/project.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { AddByFilter } from './add-by-filter.tsx'
import { AgreementDialog } from './agreement-dialog.tsx'
import { DeleteQueue } from './delete-queue.tsx'
import type { QueueAction } from './queue-actions.ts'
import { QueueDialog } from './queue-form.tsx'
import type { Queue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** Undefined until it is loaded. */
  readonly queue: Queue | undefined
  /** The action whose dialog is open. */
  readonly action: QueueAction | undefined
  /** Whether the current call is done in this queue. */
  readonly isCallDone: boolean
  readonly onClose: () => void
  readonly onRemoveCall: () => void
  readonly onDeleted: () => void
}

/** The dialogs of the queue page. At most one is open. */
export function QueueDialogs({
  project,
  queue,
  action,
  isCallDone,
  onClose,
  onRemoveCall,
  onDeleted,
}: Props) {
  return (
    <>
      <AddByFilter project={project} queue={action === 'add calls' ? queue : undefined} onClose={onClose} />
      <AgreementDialog
        project={project}
        queue={action === 'agreement' ? queue : undefined}
        onClose={onClose}
      />
      <QueueDialog project={project} queue={action === 'edit' ? queue : undefined} onClose={onClose} />
      <ConfirmDialog
        title="Remove this call from the queue?"
        isOpen={action === 'remove call'}
        action="Remove"
        isHarmless
        onConfirm={onRemoveCall}
        onClose={onClose}
      >
        The call and its feedback stay in the project.
        {isCallDone ? ' Its review state in this queue is deleted.' : ''}
      </ConfirmDialog>
      <DeleteQueue
        project={project}
        queue={action === 'delete' ? queue : undefined}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}
