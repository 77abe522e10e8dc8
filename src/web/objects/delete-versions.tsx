import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import type { ObjectVersion } from './object-kind.ts'

interface Props {
  readonly project: Project
  readonly name: string
  /** What to delete; `all` is the object with every version. Undefined while the dialog is closed. */
  readonly target: readonly ObjectVersion[] | 'all' | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** The API limit of `obj_delete`. */
const MAX_DIGESTS_PER_REQUEST = 100

/** The dialog that confirms the deletion of versions. */
export function DeleteVersions({ project, name, target, onClose, onDeleted }: Props) {
  const remove = useMutation({
    mutationFn: async () => {
      const { project_id } = project
      if (target === 'all') {
        await api.call('obj_delete', { project_id, object_id: name })
        return
      }
      const digests = (target ?? []).map(({ digest }) => digest)
      for (let i = 0; i < digests.length; i += MAX_DIGESTS_PER_REQUEST) {
        await api.call('obj_delete', {
          project_id,
          object_id: name,
          digests: digests.slice(i, i + MAX_DIGESTS_PER_REQUEST),
        })
      }
    },
    onSuccess: async () => {
      onDeleted()
      await refreshQueries(['objects', project.project_id])
    },
  })
  const targetLabel = target === 'all' ? 'all versions' : versionsLabel(target ?? [])
  return (
    <ConfirmDialog
      title={`Delete ${targetLabel} of ${name}?`}
      isOpen={target !== undefined}
      action={`Delete ${targetLabel}`}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Calls keep their refs, but the refs no longer resolve. {DELETION_NOTICE}
    </ConfirmDialog>
  )
}

function versionsLabel(versions: readonly ObjectVersion[]): string {
  const [only] = versions
  return versions.length === 1 && only !== undefined
    ? `v${only.version_index}`
    : `${versions.length} versions`
}
