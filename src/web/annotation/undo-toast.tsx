import { ActionIcon } from '@mantine/core'
import { ApiError } from '../../client/browser/api-error.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './undo-toast.module.css'

/** What was shown before the server had it, and is not shown any more because the server would not have it. */
export function Undone({ error, onClose }: { readonly error: unknown; readonly onClose: () => void }) {
  return (
    <div className={styles.undone} role="alert">
      <Icon name="warning" size={14} />
      <span className={styles.text}>It was not stored, and is undone here too: {reasonOf(error)}.</span>
      <ActionIcon size={20} aria-label="Close" onClick={onClose}>
        <Icon name="close" size={11} />
      </ActionIcon>
    </div>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'forbidden') {
    return 'you may read this project, but not write in it; an admin of it can change that'
  }
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
