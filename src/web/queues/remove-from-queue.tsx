import { Button, Modal } from '@mantine/core'
import styles from './confirm-dialog.module.css'

interface Props {
  readonly isOpen: boolean
  readonly isDone: boolean
  readonly onClose: () => void
  readonly onRemove: () => void
}

/** The dialog that confirms removing a call from a queue. Enter confirms, because the call can be added again. */
export function RemoveFromQueue({ isOpen, isDone, onClose, onRemove }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Remove this call from the queue?" size="sm">
      <p className={styles.text}>
        The call and its feedback stay in the project.
        {isDone ? ' Its review state in this queue is deleted.' : ''}
      </p>
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus onClick={onRemove}>
          Remove
        </Button>
      </div>
    </Modal>
  )
}
