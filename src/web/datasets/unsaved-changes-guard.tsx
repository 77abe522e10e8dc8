import { Button, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import styles from './edit-bar.module.css'

/** Asks for confirmation before navigation discards a draft. */
export function UnsavedChangesGuard({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  return (
    <Modal opened={isBlocked} onClose={() => blocker.reset?.()} title="Leave without publishing?" size="sm">
      <p className={styles.text}>Your changes to this dataset have not been published and will be lost.</p>
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
