import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { SpecDialog } from '../annotation/spec-dialog.tsx'
import { useSpecs } from '../annotation/use-specs.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
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
  const failure = create.error ?? update.error
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
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
      <form className={styles.form} onSubmit={submit}>
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
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => setCreatingScore(true)}
          >
            New score
          </Button>
        </fieldset>
        {failure !== null && <ErrorNotice error={failure} />}
        <div className={styles.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={create.isPending || update.isPending}>
            {queue === undefined ? 'Create queue' : 'Save'}
          </Button>
        </div>
      </form>
      {/* Outside the form: submitting the dialog must not submit the queue. */}
      <SpecDialog project={project} isOpen={isCreatingScore} onClose={() => setCreatingScore(false)} />
    </>
  )
}
