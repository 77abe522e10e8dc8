import { ApiError } from '../../client/browser/api-error.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './undo-toast.module.css'

/** Reports an optimistic update that the server rejected and the page has reverted. */
export function UndoToast({ error, onClose }: { readonly error: unknown; readonly onClose: () => void }) {
  return (
    <div className={`${styles.toast} note bad`} role="alert">
      <Icon name="warning" size={14} />
      <span className="grow wrap">Not saved, change reverted: {errorReason(error)}.</span>
      <IconButton icon="close" label="Close" size={20} onClick={onClose} />
    </div>
  )
}

function errorReason(error: unknown): string {
  if (error instanceof ApiError && error.code === 'forbidden') {
    return 'you have read-only access to this project; ask an admin for the write role'
  }
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
