import { Button, Checkbox, Modal, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { fieldOf, type SpecDraft } from './spec-draft.ts'
import styles from './spec-dialog.module.css'
import { objectIdOf, useMakeSpec, useSpecs } from './use-specs.ts'

const KINDS = [
  { value: 'boolean', label: 'Pass or fail' },
  { value: 'options', label: 'Options' },
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
] as const

const EMPTY: SpecDraft = {
  kind: 'boolean',
  options: '',
  isInteger: true,
  minimum: '1',
  maximum: '5',
  maxLength: '',
}

interface Props {
  readonly project: Project
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Makes a score: an annotation spec, which SDKs and other tools of the protocol read too. */
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
  const [draft, setDraft] = useState(EMPTY)
  const specs = useSpecs(project)
  const make = useMakeSpec(project)
  const change = (next: Partial<SpecDraft>): void => setDraft({ ...draft, ...next })
  const field = fieldOf(draft)
  const object_id = objectIdOf(name)
  const isTaken = specs.data?.some((spec) => spec.object_id === object_id) === true
  const isReady = object_id !== '' && !isTaken && !('reason' in field)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    make.mutate({ name: name.trim(), description: description.trim(), field }, { onSuccess: onClose })
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
        error={isTaken ? 'There is a score of this name' : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <Textarea
        label="What it asks"
        size="sm"
        autosize
        maxRows={5}
        placeholder="Is everything that the answer says true?"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <SegmentedControl
        aria-label="How it is answered"
        fullWidth
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        data={[...KINDS]}
      />
      {draft.kind === 'boolean' && (
        <p className={styles.hint}>P passes and F fails, wherever the focus is.</p>
      )}
      {draft.kind === 'options' && (
        <Textarea
          label="Options, one in a line"
          size="sm"
          autosize
          minRows={3}
          maxRows={10}
          placeholder={'right\nhalf right\nwrong'}
          value={draft.options}
          onChange={(event) => change({ options: event.target.value })}
        />
      )}
      {draft.kind === 'number' && (
        <div className={styles.bounds}>
          <TextInput
            label="From"
            size="sm"
            inputMode="decimal"
            placeholder="any"
            value={draft.minimum}
            onChange={(event) => change({ minimum: event.target.value })}
          />
          <TextInput
            label="To"
            size="sm"
            inputMode="decimal"
            placeholder="any"
            value={draft.maximum}
            onChange={(event) => change({ maximum: event.target.value })}
          />
          <Checkbox
            label="Whole numbers"
            checked={draft.isInteger}
            onChange={(event) => change({ isInteger: event.target.checked })}
          />
        </div>
      )}
      {draft.kind === 'text' && (
        <TextInput
          label="Longest, in characters"
          size="sm"
          inputMode="numeric"
          placeholder="any length"
          value={draft.maxLength}
          onChange={(event) => change({ maxLength: event.target.value })}
        />
      )}
      {'reason' in field && name !== '' && (
        <p className={styles.reason} role="status">
          {field.reason}
        </p>
      )}
      {make.isError && <Failure error={make.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isReady} loading={make.isPending}>
          Make the score
        </Button>
      </div>
    </form>
  )
}
