import { Button, Modal } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './dialogs.module.css'
import { type NamedObject, useDeleteNamedObject } from './use-named-objects.ts'

interface Props {
  readonly project: Project
  readonly className: string
  /** The noun in messages, such as `view`. */
  readonly noun: string
  /** What happens to other things. */
  readonly hint: string
  /** The dialog is closed while `undefined`. */
  readonly subject: Pick<NamedObject, 'object_id' | 'label'> | undefined
  readonly onClose: () => void
  readonly onDeleted: (object_id: string) => void
}

/** Confirmation dialog for deleting an object. */
export function DeleteDialog({ project, className, noun, hint, subject, onClose, onDeleted }: Props) {
  const remove = useDeleteNamedObject(project, className)
  const submit = (): void => {
    if (subject === undefined) return
    remove.mutate(subject.object_id, { onSuccess: () => onDeleted(subject.object_id) })
  }
  return (
    <Modal
      opened={subject !== undefined}
      onClose={onClose}
      title={`Delete ${noun} “${subject?.label ?? ''}”?`}
      size="sm"
    >
      <div className={styles.form}>
        <p className={styles.text}>
          The {noun} is deleted for everyone in the project. {hint}
        </p>
        {remove.isError && <ErrorNotice error={remove.error} />}
        <div className={styles.actions}>
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button color="madder" variant="light" loading={remove.isPending} onClick={submit}>
            Delete
          </Button>
        </div>
      </div>
    </Modal>
  )
}
