import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { Dialog, DialogForm } from '../ui/dialog.tsx'
import { ValueFields } from './value-fields.tsx'
import { EMPTY_DRAFT, parseSpecDraft, type SpecDraft, toSpecDraft, withOptionTypes } from './spec-draft.ts'
import { type ScoreSpec, toObjectId, useCreateSpec, useSpecs, useUpdateSpec } from './use-specs.ts'

const KINDS = [
  { value: 'boolean', label: 'Pass or fail' },
  { value: 'options', label: 'Options' },
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
] as const

interface Props {
  readonly project: Project
  /** The score to edit, or `new`; undefined while the dialog is closed. */
  readonly spec: ScoreSpec | 'new' | undefined
  readonly onClose: () => void
}

/** The dialog that creates or edits a score: an annotation spec, which the Weave SDKs can read too. */
export function SpecDialog({ project, spec, onClose }: Props) {
  return (
    <Dialog title={spec === 'new' ? 'New score' : 'Edit score'} isOpen={spec !== undefined} onClose={onClose}>
      {spec === 'new' ? (
        <NewSpec project={project} onClose={onClose} />
      ) : (
        spec !== undefined && <EditSpec key={spec.ref} project={project} spec={spec} onClose={onClose} />
      )}
    </Dialog>
  )
}

function NewSpec({ project, onClose }: Omit<Props, 'spec'>) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const specs = useSpecs(project)
  const create = useCreateSpec(project)
  const change = (next: Partial<SpecDraft>): void => setDraft({ ...draft, ...next })
  const field = parseSpecDraft(draft)
  const object_id = toObjectId(name)
  const isTaken = specs.data?.some((each) => each.object_id === object_id) === true
  return (
    <DialogForm
      action="Create score"
      isReady={object_id !== '' && !isTaken && !('reason' in field)}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => {
        if ('reason' in field) return
        create.mutate({ name: name.trim(), description: description.trim(), field }, { onSuccess: onClose })
      }}
      onCancel={onClose}
    >
      <SpecTexts
        name={name}
        description={description}
        hasExamples
        isTaken={isTaken}
        onName={setName}
        onDescription={setDescription}
      />
      <SegmentedControl
        aria-label="Answer type"
        fullWidth
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        data={[...KINDS]}
      />
      <ValueFields draft={draft} onChange={change} />
      {name !== '' && <Reason field={field} />}
    </DialogForm>
  )
}

/** The answer type stays: values of two types could not be compared. */
function EditSpec({ project, spec, onClose }: Omit<Props, 'spec'> & { readonly spec: ScoreSpec }) {
  const [name, setName] = useState(spec.name)
  const [description, setDescription] = useState(spec.description)
  const [initialDraft] = useState(() => toSpecDraft(spec.field))
  const [draft, setDraft] = useState(initialDraft)
  const update = useUpdateSpec(project, spec)
  const field = draft === undefined ? undefined : parseSpecDraft(draft)
  const submit = (): void => {
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
    <DialogForm
      action="Save"
      isReady={name.trim() !== '' && (field === undefined || !('reason' in field))}
      isPending={update.isPending}
      error={update.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <SpecTexts name={name} description={description} onName={setName} onDescription={setDescription} />
      {draft === undefined ? (
        <p className="faint">The values have a JSON schema that only an SDK can change.</p>
      ) : (
        <ValueFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      )}
      <Reason field={field} />
      <p className="faint">
        Saves a new version of the score. Existing values stay and refer to the version they were given with.
        Filters keep using <code>{spec.object_id}</code>. For another answer type, create a new score.
      </p>
    </DialogForm>
  )
}

interface TextsProps {
  readonly name: string
  readonly description: string
  readonly isTaken?: boolean
  /** Shows an example in each empty field. */
  readonly hasExamples?: boolean
  readonly onName: (name: string) => void
  readonly onDescription: (description: string) => void
}

function SpecTexts({ hasExamples = false, isTaken = false, ...props }: TextsProps) {
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        size="sm"
        placeholder={hasExamples ? 'Correct' : undefined}
        maxLength={128}
        value={props.name}
        error={isTaken ? 'A score with this name already exists' : undefined}
        onChange={(event) => props.onName(event.target.value)}
      />
      <Textarea
        label="Question"
        size="sm"
        autosize
        maxRows={5}
        placeholder={hasExamples ? 'Is the answer factually correct?' : undefined}
        value={props.description}
        onChange={(event) => props.onDescription(event.target.value)}
      />
    </>
  )
}

/** Why the values are not valid. */
function Reason({ field }: { readonly field: ReturnType<typeof parseSpecDraft> | undefined }) {
  if (field === undefined || !('reason' in field)) return null
  return (
    <p className="warn" role="status">
      {field.reason}
    </p>
  )
}
