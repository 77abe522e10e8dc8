import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { formatCount } from '../ui/format.ts'

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
    <ConfirmDialog
      title={`Delete ${calls}?`}
      isOpen={isOpen}
      action={`Delete ${calls}`}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {ids.length === 1 ? 'Its' : 'Their'} descendant calls are deleted too. {DELETION_NOTICE}
    </ConfirmDialog>
  )
}
