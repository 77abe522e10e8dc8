import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import styles from './saved-views-dialogs.module.css'
import type { ViewSearch } from './saved-views-definition.ts'
import type { SavedView } from './saved-views-list.ts'
import { useDeleteView, useSaveView } from './saved-views-save.ts'

interface NameProps {
  readonly project: Project
  readonly views: readonly SavedView[]
  /** What is saved under a new name, or the view that gets another one; undefined while nobody asks. */
  readonly subject: { readonly search: ViewSearch } | { readonly view: SavedView } | undefined
  readonly onClose: () => void
  readonly onSaved: (object_id: string) => void
}

/** Asks how a view shall be called. */
export function NameView(props: NameProps) {
  const { subject, onClose } = props
  const title =
    subject !== undefined && 'view' in subject ? `Rename “${subject.view.label}”` : 'Save this view'
  return (
    <Modal opened={subject !== undefined} onClose={onClose} title={title} size="sm">
      {subject !== undefined && <NameForm {...props} subject={subject} />}
    </Modal>
  )
}

const LONGEST_LABEL = 200

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
    if ('view' in subject) save.mutate({ label: name, before: subject.view }, { onSuccess })
    else save.mutate({ label: name, search: subject.search }, { onSuccess })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        maxLength={LONGEST_LABEL}
        placeholder="Slow answers of gold customers"
        value={label}
        error={isTaken ? 'There is a view of this name' : undefined}
        onChange={(event) => setLabel(event.target.value)}
      />
      <p className={styles.text}>
        {before === undefined
          ? 'Everybody in the project can open it: its filter, time range, order and columns.'
          : 'Links to it stay as they are.'}
      </p>
      {save.isError && <Failure error={save.error} />}
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
  /** Undefined while nobody asks. */
  readonly view: SavedView | undefined
  readonly onClose: () => void
  readonly onDeleted: (object_id: string) => void
}

/** Asks before a view is deleted. */
export function DeleteView({ project, view, onClose, onDeleted }: DeleteProps) {
  const remove = useDeleteView(project)
  const submit = (): void => {
    if (view === undefined) return
    remove.mutate(view.object_id, { onSuccess: () => onDeleted(view.object_id) })
  }
  return (
    <Modal
      opened={view !== undefined}
      onClose={onClose}
      title={`Delete the view “${view?.label ?? ''}”?`}
      size="sm"
    >
      <div className={styles.form}>
        <p className={styles.text}>Nobody in the project can open it any more. The calls stay.</p>
        {remove.isError && <Failure error={remove.error} />}
        <div className={styles.actions}>
          <Button variant="default" data-autofocus onClick={onClose}>
            Keep
          </Button>
          <Button color="madder" variant="light" loading={remove.isPending} onClick={submit}>
            Delete
          </Button>
        </div>
      </div>
    </Modal>
  )
}
