import { Button, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import styles from './edit-bar.module.css'

/** Asks before a draft is lost by going elsewhere. */
export function LeaveGuard({ isNeeded }: { readonly isNeeded: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded && current.pathname !== next.pathname,
    enableBeforeUnload: () => isNeeded,
    withResolver: true,
  })
  const isAsked = blocker.status === 'blocked'
  return (
    <Modal opened={isAsked} onClose={() => blocker.reset?.()} title="Leave without publishing?" size="sm">
      <p className={styles.text}>What you have changed in this dataset is not published and would be lost.</p>
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          Keep editing
        </Button>
        <Button color="madder" variant="light" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </div>
    </Modal>
  )
}
