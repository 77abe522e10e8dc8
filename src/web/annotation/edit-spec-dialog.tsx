import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ValueFields } from './value-fields.tsx'
import { parseSpecDraft, toSpecDraft, withOptionTypes } from './spec-draft.ts'
import styles from './spec-dialog.module.css'
import { type ScoreSpec, useUpdateSpec } from './use-specs.ts'

interface Props {
  readonly project: Project
  /** The score to edit; undefined while the dialog is closed. */
  readonly spec: ScoreSpec | undefined
  readonly onClose: () => void
}

/** The dialog that edits a score. The answer type stays: values of two types could not be compared. */
export function EditSpecDialog({ project, spec, onClose }: Props) {
  return (
    <Modal opened={spec !== undefined} onClose={onClose} title="Edit score">
      {spec !== undefined && <EditForm key={spec.ref} project={project} spec={spec} onClose={onClose} />}
    </Modal>
  )
}

function EditForm({ project, spec, onClose }: Props & { readonly spec: ScoreSpec }) {
  const [name, setName] = useState(spec.name)
  const [description, setDescription] = useState(spec.description)
  const [initialDraft] = useState(() => toSpecDraft(spec.field))
  const [draft, setDraft] = useState(initialDraft)
  const update = useUpdateSpec(project, spec)
  const field = draft === undefined ? undefined : parseSpecDraft(draft)
  const reason = field !== undefined && 'reason' in field ? field.reason : undefined
  const isReady = name.trim() !== '' && reason === undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    // Unchanged, the schema is kept as it was written, by an SDK for example.
    const changed =
      draft === initialDraft || field === undefined || 'reason' in field
        ? undefined
        : withOptionTypes(field, spec.field)
    update.mutate(
      { name: name.trim(), description: description.trim(), field: changed },
      { onSuccess: onClose },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Textarea
        label="Question"
        size="sm"
        autosize
        maxRows={5}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {draft === undefined ? (
        <p className={styles.hint}>The values have a JSON schema that only an SDK can change.</p>
      ) : (
        <ValueFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      )}
      {reason !== undefined && (
        <p className={styles.reason} role="status">
          {reason}
        </p>
      )}
      <p className={styles.hint}>
        Saves a new version of the score. Existing values stay and refer to the version they were given with.
        Filters keep using <code>{spec.object_id}</code>. For another answer type, create a new score.
      </p>
      {update.isError && <ErrorNotice error={update.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isReady} loading={update.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
