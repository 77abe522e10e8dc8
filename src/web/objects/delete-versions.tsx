import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import type { ObjectVersion } from './object-kind.ts'
import styles from './delete-versions.module.css'

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
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      title={`Delete ${targetLabel} of ${name}?`}
      size="sm"
    >
      <p className={styles.text}>Calls keep their refs, but the refs no longer resolve. {DELETION_NOTICE}</p>
      {remove.isError && <ErrorNotice error={remove.error} />}
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button color="madder" variant="light" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete {targetLabel}
        </Button>
      </div>
    </Modal>
  )
}

function versionsLabel(versions: readonly ObjectVersion[]): string {
  const [only] = versions
  return versions.length === 1 && only !== undefined
    ? `v${only.version_index}`
    : `${versions.length} versions`
}
