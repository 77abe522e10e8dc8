import { ActionIcon } from '@mantine/core'
import { ApiError } from '../../client/browser/api-error.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './undo-toast.module.css'

/** Reports an optimistic update that the server rejected and the page has reverted. */
export function UndoToast({ error, onClose }: { readonly error: unknown; readonly onClose: () => void }) {
  return (
    <div className={styles.toast} role="alert">
      <Icon name="warning" size={14} />
      <span className={styles.text}>Not saved, change reverted: {errorReason(error)}.</span>
      <ActionIcon size={20} aria-label="Close" onClick={onClose}>
        <Icon name="close" size={11} />
      </ActionIcon>
    </div>
  )
}

function errorReason(error: unknown): string {
  if (error instanceof ApiError && error.code === 'forbidden') {
    return 'you have read-only access to this project; ask an admin for the write role'
  }
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
