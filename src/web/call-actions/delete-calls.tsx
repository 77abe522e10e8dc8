import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import styles from './delete-calls.module.css'

/** Maximum calls per delete request. */
const MAX_CALLS_PER_DELETE = 1000

interface Props {
  readonly project: Project
  readonly ids: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks for confirmation, then deletes calls with their descendants. */
export function DeleteCalls({ project, ids, isOpen, onClose, onDeleted }: Props) {
  const remove = useMutation({
    mutationFn: async () => {
      for (let i = 0; i < ids.length; i += MAX_CALLS_PER_DELETE) {
        const call_ids = ids.slice(i, i + MAX_CALLS_PER_DELETE)
        await api.call('calls_delete', { project_id: project.project_id, call_ids })
      }
    },
    onSuccess: () => {
      onClose()
      onDeleted()
    },
    // Some batches may have succeeded even if the mutation failed.
    onSettled: () => refreshQueries(),
  })
  const calls = ids.length === 1 ? '1 call' : `${formatCount(ids.length)} calls`
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Delete ${calls}?`} size="sm">
      <p className={styles.text}>
        {ids.length === 1 ? 'Its' : 'Their'} descendant calls are deleted too. {DELETION_NOTICE}
      </p>
      {remove.isError && <ErrorNotice error={remove.error} />}
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button color="madder" variant="light" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete {calls}
        </Button>
      </div>
    </Modal>
  )
}
