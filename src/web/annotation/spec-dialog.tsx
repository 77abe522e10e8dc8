import { Button, Modal, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ValueFields } from './value-fields.tsx'
import { EMPTY_DRAFT, parseSpecDraft, type SpecDraft } from './spec-draft.ts'
import styles from './spec-dialog.module.css'
import { toObjectId, useCreateSpec, useSpecs } from './use-specs.ts'

const KINDS = [
  { value: 'boolean', label: 'Pass or fail' },
  { value: 'options', label: 'Options' },
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
] as const

interface Props {
  readonly project: Project
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The dialog that creates a score: an annotation spec, which the Weave SDKs can read too. */
export function SpecDialog({ project, isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New score">
      {isOpen && <SpecForm project={project} onClose={onClose} />}
    </Modal>
  )
}

function SpecForm({ project, onClose }: Omit<Props, 'isOpen'>) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const specs = useSpecs(project)
  const createSpec = useCreateSpec(project)
  const change = (next: Partial<SpecDraft>): void => setDraft({ ...draft, ...next })
  const field = parseSpecDraft(draft)
  const object_id = toObjectId(name)
  const isTaken = specs.data?.some((spec) => spec.object_id === object_id) === true
  const isReady = object_id !== '' && !isTaken && !('reason' in field)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    createSpec.mutate({ name: name.trim(), description: description.trim(), field }, { onSuccess: onClose })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        placeholder="Correct"
        maxLength={128}
        value={name}
        error={isTaken ? 'A score with this name already exists' : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <Textarea
        label="Question"
        size="sm"
        autosize
        maxRows={5}
        placeholder="Is the answer factually correct?"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <SegmentedControl
        aria-label="Answer type"
        fullWidth
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        data={[...KINDS]}
      />
      <ValueFields draft={draft} onChange={change} />
      {'reason' in field && name !== '' && (
        <p className={styles.reason} role="status">
          {field.reason}
        </p>
      )}
      {createSpec.isError && <ErrorNotice error={createSpec.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isReady} loading={createSpec.isPending}>
          Create score
        </Button>
      </div>
    </form>
  )
}
