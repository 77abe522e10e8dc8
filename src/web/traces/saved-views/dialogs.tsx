import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../../api/project.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import styles from './dialogs.module.css'
import type { ViewSearch } from './definition.ts'
import type { SavedView } from './use-saved-views.ts'
import { useDeleteView, useSaveView } from './use-save-view.ts'

interface NameProps {
  readonly project: Project
  readonly views: readonly SavedView[]
  /** The search to save as a new view, or the view to rename. The dialog is closed while `undefined`. */
  readonly subject: { readonly search: ViewSearch } | { readonly view: SavedView } | undefined
  readonly onClose: () => void
  readonly onSaved: (object_id: string) => void
}

/** Dialog that saves a new view or renames one. */
export function NameViewDialog(props: NameProps) {
  const { subject, onClose } = props
  const title = subject !== undefined && 'view' in subject ? `Rename “${subject.view.label}”` : 'Save view'
  return (
    <Modal opened={subject !== undefined} onClose={onClose} title={title} size="sm">
      {subject !== undefined && <NameForm {...props} subject={subject} />}
    </Modal>
  )
}

const MAX_LABEL_LENGTH = 200

function NameForm({
  project,
  views,
  subject,
  onClose,
  onSaved,
}: NameProps & { subject: NonNullable<NameProps['subject']> }) {
  const before = 'view' in subject ? subject.view : undefined
  const [label, setLabel] = useState(before?.label ?? '')
  const save = useSaveView(project)
  const name = label.trim()
  const isTaken = views.some((view) => view.label === name && view.object_id !== before?.object_id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name === '' || isTaken) return
    const onSuccess = ({ object_id }: { object_id: string }): void => onSaved(object_id)
    if ('view' in subject) save.mutate({ label: name, previous: subject.view }, { onSuccess })
    else save.mutate({ label: name, search: subject.search }, { onSuccess })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        maxLength={MAX_LABEL_LENGTH}
        placeholder="Slow answers for gold customers"
        value={label}
        error={isTaken ? 'A view with this name exists' : undefined}
        onChange={(event) => setLabel(event.target.value)}
      />
      <p className={styles.text}>
        {before === undefined
          ? 'Saves the filter, time range, sort order and columns for everyone in the project.'
          : 'Existing links keep working.'}
      </p>
      {save.isError && <ErrorNotice error={save.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name === '' || isTaken} loading={save.isPending}>
          {before === undefined ? 'Save' : 'Rename'}
        </Button>
      </div>
    </form>
  )
}

interface DeleteProps {
  readonly project: Project
  /** The dialog is closed while `undefined`. */
  readonly view: SavedView | undefined
  readonly onClose: () => void
  readonly onDeleted: (object_id: string) => void
}

/** Confirmation dialog for deleting a view. */
export function DeleteViewDialog({ project, view, onClose, onDeleted }: DeleteProps) {
  const remove = useDeleteView(project)
  const submit = (): void => {
    if (view === undefined) return
    remove.mutate(view.object_id, { onSuccess: () => onDeleted(view.object_id) })
  }
  return (
    <Modal
      opened={view !== undefined}
      onClose={onClose}
      title={`Delete view “${view?.label ?? ''}”?`}
      size="sm"
    >
      <div className={styles.form}>
        <p className={styles.text}>
          The view is deleted for everyone in the project. Calls are not affected.
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
