import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { SpecDialog } from '../annotation/spec-dialog.tsx'
import { useSpecs } from '../annotation/use-specs.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Dialog, DialogForm } from '../ui/dialog.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './queue-form.module.css'
import { type Queue, useCreateQueue, useUpdateQueue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** The queue to edit; without it the form creates one. */
  readonly queue?: Queue
  readonly onSaved: (queue: Queue) => void
  readonly onCancel: () => void
}

/** The form of a queue: its name, instructions and scores. */
export function QueueForm({ project, queue, onSaved, onCancel }: Props) {
  const [name, setName] = useState(queue?.name ?? '')
  const [description, setDescription] = useState(queue?.description ?? '')
  const [scores, setScores] = useState<ReadonlySet<string>>(new Set(queue?.scores))
  const [isCreatingScore, setCreatingScore] = useState(false)
  const specs = useSpecs(project)
  // An archived score is not offered, but a queue that already asks for it can drop it.
  const offered = (specs.data ?? []).filter(
    ({ object_id, isArchived }) => !isArchived || queue?.scores.includes(object_id) === true,
  )
  const create = useCreateQueue(project)
  const update = useUpdateQueue(project)
  const submit = (): void => {
    const fields = { name: name.trim(), description: description.trim(), scores: [...scores] }
    if (queue === undefined) create.mutate(fields, { onSuccess: onSaved })
    else update.mutate({ queue_id: queue.id, ...fields }, { onSuccess: onSaved })
  }
  const toggle = (object_id: string, isOn: boolean): void => {
    const next = new Set(scores)
    if (isOn) next.add(object_id)
    else next.delete(object_id)
    setScores(next)
  }
  return (
    <>
      <DialogForm
        action={queue === undefined ? 'Create queue' : 'Save'}
        isReady={name.trim() !== ''}
        isPending={create.isPending || update.isPending}
        error={create.error ?? update.error}
        onSubmit={submit}
        onCancel={onCancel}
      >
        <TextInput
          data-autofocus
          label="Name"
          size="sm"
          maxLength={200}
          placeholder="Refund answers, this week"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Textarea
          label="Instructions"
          size="sm"
          autosize
          maxRows={6}
          maxLength={4000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className={styles.scores}>
          <legend>Scores</legend>
          {offered.map((spec) => (
            <Checkbox
              key={spec.object_id}
              label={
                <span className="isolate">
                  {visibleText(spec.name)}
                  {spec.isArchived && ' (archived)'}
                </span>
              }
              checked={scores.has(spec.object_id)}
              onChange={(event) => toggle(spec.object_id, event.target.checked)}
            />
          ))}
          <p className={styles.hint}>
            {specs.isSuccess && offered.length === 0
              ? 'No scores yet. Notes and reactions are always available.'
              : scores.size === 0
                ? 'None selected: the queue asks for all scores.'
                : ''}
          </p>
          <ActionButton variant="subtle" size="compact-xs" icon="plus" onClick={() => setCreatingScore(true)}>
            New score
          </ActionButton>
        </fieldset>
      </DialogForm>
      {/* Outside the form: submitting the dialog must not submit the queue. */}
      <SpecDialog
        project={project}
        spec={isCreatingScore ? 'new' : undefined}
        onClose={() => setCreatingScore(false)}
      />
    </>
  )
}

interface DialogProps {
  readonly project: Project
  /** The queue to edit; undefined while the dialog is closed. */
  readonly queue: Queue | undefined
  readonly onClose: () => void
}

/** The dialog that edits the name, instructions and scores of a queue. */
export function QueueDialog({ project, queue, onClose }: DialogProps) {
  return (
    <Dialog title={`Edit “${queue?.name ?? ''}”`} isOpen={queue !== undefined} onClose={onClose}>
      {queue !== undefined && (
        <QueueForm project={project} queue={queue} onCancel={onClose} onSaved={onClose} />
      )}
    </Dialog>
  )
}
