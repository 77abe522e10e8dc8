import { Button, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { NOT_ERASED } from '../ui/not-erased.ts'
import type { ObjectVersion } from './object-kind.ts'
import styles from './delete-versions.module.css'

interface Props {
  readonly project: Project
  readonly name: string
  /** Undefined: not asked. `all`: the object with every version. */
  readonly doomed: readonly ObjectVersion[] | 'all' | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** So many versions may be deleted by one request. */
const AT_ONCE = 100

/** Asks before versions are deleted. */
export function DeleteVersions({ project, name, doomed, onClose, onDeleted }: Props) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      const { project_id } = project
      if (doomed === 'all') {
        await api.call('obj_delete', { project_id, object_id: name })
        return
      }
      const digests = (doomed ?? []).map(({ digest }) => digest)
      for (let i = 0; i < digests.length; i += AT_ONCE) {
        await api.call('obj_delete', { project_id, object_id: name, digests: digests.slice(i, i + AT_ONCE) })
      }
    },
    onSuccess: async () => {
      onDeleted()
      await queries.invalidateQueries({ queryKey: ['objects', project.project_id] })
    },
  })
  const what = doomed === 'all' ? 'all versions' : wordsOf(doomed ?? [])
  return (
    <Modal opened={doomed !== undefined} onClose={onClose} title={`Delete ${what} of ${name}?`} size="sm">
      <p className={styles.text}>
        Calls keep their refs to what is deleted, but the refs lead nowhere. {NOT_ERASED}
      </p>
      {remove.isError && <Failure error={remove.error} />}
      <div className={styles.actions}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Keep
        </Button>
        <Button color="madder" variant="light" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete {what}
        </Button>
      </div>
    </Modal>
  )
}

function wordsOf(versions: readonly ObjectVersion[]): string {
  const [only] = versions
  return versions.length === 1 && only !== undefined
    ? `v${only.version_index}`
    : `${versions.length} versions`
}
