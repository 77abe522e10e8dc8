import { Button, Modal } from '@mantine/core'
import styles from './asking.module.css'

interface Props {
  readonly isOpen: boolean
  readonly isJudged: boolean
  readonly onClose: () => void
  readonly onTakeOut: () => void
}

/** Asks before a call is taken out of a queue. It can be put in again, so that Enter says yes. */
export function TakeOut({ isOpen, isJudged, onClose, onTakeOut }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Take this call out of the queue?" size="sm">
      <p className={styles.text}>
        The call, and everything that was said of it, stays in the project.
        {isJudged ? ' That it was judged in this queue is forgotten.' : ''}
      </p>
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button data-autofocus onClick={onTakeOut}>
          Take it out
        </Button>
      </div>
    </Modal>
  )
}
